/**
 * The village of Lantern Night, drawn by hand. One letter is one 16×16 tile.
 * T oak · P pine · A amber tree · b bush · r rock · s stump · # house · f fence · w well · ~ water · = bridge · : path · . grass · , flowers
 * 1–5 lanterns · o oil may lie here · @ player · M Mira · O Old Tam · * reeds (in water) · h hay · g grave stone · B barrel
 */
export const tileSize = 16;

export const rows = [
  'TTTTTTTTPTTTTPTTTTTTTTTTPTTTPTTPPPPTPPPPPPPPPPPP',
  'ATPTTTTTTTTTTTTPTTTTTTPTTTTPTTPTPPTPPPPPPPPPPPPP',
  'TA...............TT....T......P..P....PP...P..PP',
  'AT..,.......,......,.......,....P..,......P...PP',
  'TT.#####...#####......r..o..........P..o.....PPP',
  'TT.#####...#####..,.......b...,.P.......P.P...PP',
  'TA.#####B..#####......A..........,...P........PP',
  'TT.#####...#####b...........P.....::::4..P..,.PP',
  'AT.,.:........:...,....b.........::......P....PP',
  'TT...:::::::::::.........,......::...P......P.PP',
  'TT.......:.....:::..A..........::.......r...,.PP',
  'TT.,.1...:...,...::...........::...P.......P..PP',
  'TT.......:........::....,....::..,.....P......PP',
  'TT.####..:.w.O.....::.......::.....b.......o..TP',
  'TT.####::::........,::::::::::..............P.PP',
  'TT.####..:..b.........:.r...,.....A...,..P....PP',
  'TT.####..:......b...*~:~~~~...........,.......TP',
  'TT.,.:...:....,..~~~~~=~~~~~~~....A........A..AT',
  'TT...:...:......~~~~~~=~~~~~~~~..b......,..,..AT',
  'TT.,.::::::...~~~~~~~~=~~~~~~~~~......A.......TT',
  'AT.......:.M..~~~~~~~:::~~~~~~~~~.............AP',
  'TT..o....@::::=======:2:========:::::.....o.A.TA',
  'TT.......:....~~~~~~~:::~~~~~~~~~...::...,....TT',
  'TT.ffff..:....~~~~~~~~=~~~~~~~~~*....::.......AT',
  'TA.f,h.f.:.....~~~~~~~=~~~~~~~~.......::..A...TA',
  'TT.f..,f.::..,..~~~~~~=~~~~~~*..b....,.:......AA',
  'TT.f,.hf..:......*~~~.:.~~~~...........::..,..TA',
  'TT.ffff...:..........::......A..........5.....PA',
  'TT...,....::....,o...:....,.........,.........TT',
  'TT.........:.........:..........A...........A.TT',
  'TT..A.o....::...3....:....r..........o........TA',
  'TT....,.....::::::::::......,....b........A...TT',
  'TT.A..........................A.......,......ATA',
  'TAbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbPP',
  'TTTTTTTTTTATTTAATTTTTTTTTTTTTTTATTPTTTAATPATAPAP',
  'TTTATTTTTTTTTTTTAATTTTTTTTTTTTATATATTTAPPTTATAAT',
];

/** Houses by their tile rectangle; the picture overhangs to the north. */
export const houses = [
  { x: 3, y: 4, w: 5, h: 4, kind: 0 },
  { x: 11, y: 4, w: 5, h: 4, kind: 1 },
  { x: 3, y: 13, w: 4, h: 4, kind: 2 },
];

export const solidLetters = 'TPAbrs#fwh~*gB12345';
export const waterLetters = '~*';
export const pathLetters = ':@2B';
