/** Three people, three directions, idle and walk, with empty hands or holding something up. */
import { Picture } from '../lib/picture.mjs';
import { colour } from './palette.mjs';

const frameWidth = 16;
const frameHeight = 24;

const heads = {
  player: {
    down: [
      '.....oooooo.....',
      '...oohihhhhoo...',
      '..ohiihhhhhhho..',
      '..ohhhhhhhhhho..',
      '..ohhshhhshhho..',
      '..ohssssssssho..',
      '..ohsessssesho..',
      '...osessssesso..',
      '...osbssssbso...',
      '....oosSSsoo....',
    ],
    side: [
      '.....oooooo.....',
      '...oohhihhhoo...',
      '..ohhhiihhhhho..',
      '..ohhhhhhhhhho..',
      '..ohhhhhhshhso..',
      '..ohhhshssssso..',
      '..ohhSssssseso..',
      '...ohssssseso...',
      '...oosssbssso...',
      '.....oosSsoo....',
    ],
    up: [
      '.....oooooo.....',
      '...oohihhhhoo...',
      '..ohiihhhhhhho..',
      '..ohihhhhhhhho..',
      '..ohhhhhhhhhho..',
      '..ohhhhhhhhhho..',
      '..ohhhhhhhhhHo..',
      '...ohhhhhhhHo...',
      '...ohHhhhHHho...',
      '....ooHHHHoo....',
    ],
  },
  mira: {
    down: [
      '.....oooooo.....',
      '...oohhiihhoo...',
      '..ohhiihhhhhfo..',
      '..ohihhhhhhfFfo.',
      '..ohhhsshhhhfo..',
      '..ohhssssshhho..',
      '..ohsessssesho..',
      '..ohsessssesho..',
      '..ohhbssssbhho..',
      '..ohhosSSsohho..',
    ],
    side: [
      '.....oooooo.....',
      '...oohhiihhoo...',
      '..ohhhiihhhhho..',
      '..ohfhhhhhhhho..',
      '..ofFfhhhhshso..',
      '..ohfhhhssssso..',
      '..ohhhhsssseso..',
      '..ohhhhssseso...',
      '..ohhhhssbsso...',
      '..ohhhHosSoo....',
    ],
    up: [
      '.....oooooo.....',
      '...oohhiihhoo...',
      '..ofhiihhhhhho..',
      '.ofFfhhhhhhhho..',
      '..ofhhhhhhhhho..',
      '..ohhhhhhhhhho..',
      '..ohhhhhhhhHho..',
      '..ohhhhhhhhHho..',
      '..ohhhhhhhHhho..',
      '..ohhHhhHhHhho..',
    ],
  },
  old_tam: {
    down: [
      '.....oooooo.....',
      '....ottttTTo....',
      '....ottttTTo....',
      '..ooTTTTTTTToo..',
      '.otttttttttTTTo.',
      '..oosssssssSoo..',
      '..owsessssesWo..',
      '..owsesSSseswo..',
      '..owwwwSSwwwWo..',
      '...owwwwwwwWo...',
    ],
    side: [
      '.....oooooo.....',
      '....ottttTTo....',
      '....ottttTTo....',
      '..ooTTTTTTTToo..',
      '.otttttttttTTTo.',
      '..owwwsssssooo..',
      '..owwSsssseso...',
      '...owwssssesSo..',
      '...owwwwwwwwso..',
      '....owwwwwwwo...',
    ],
    up: [
      '.....oooooo.....',
      '....ottttTTo....',
      '....ottttTTo....',
      '..ooTTTTTTTToo..',
      '.otttttttttTTTo.',
      '..oowwwwwwWWoo..',
      '..owwwwwwwwWWo..',
      '..owwwwwwwwWWo..',
      '...owwwwwwWWo...',
      '....ooSSSSoo....',
    ],
  },
};

const bodies = {
  down: [
    '...okkkkkkkKo...',
    '..occkkkkkkcCo..',
    '..ocCccccccCCo..',
    '..ocCccccccCCo..',
    '..osCccccccCso..',
    '...oaaaaaaaao...',
    '...occcccccCo...',
  ],
  side: [
    '....okkkkkKo....',
    '....ockkkkcCo...',
    '....occCcccCo...',
    '....occCcccCo...',
    '....ocsscccCo...',
    '....oaaaaaao....',
    '....occcccCo....',
  ],
  up: [
    '...okkkkkkkKo...',
    '..occkkkkkKcCo..',
    '..occcccccCCCo..',
    '..occcccccCCCo..',
    '..osccccccCCso..',
    '...oaaaaaaaao...',
    '...occcccccCo...',
  ],
};
const raised = {
  down: [
    '...okkkkkkkKo...',
    '....okkkkkKo....',
    '...occcccccCo...',
    '...occcccccCo...',
    '...occcccccCo...',
    '...oaaaaaaaao...',
    '...occcccccCo...',
  ],
  side: [
    '....okkkkkKo....',
    '....ockkkkcCo...',
    '....occccccCo...',
    '....occccccCo...',
    '....occccccCo...',
    '....oaaaaaao....',
    '....occcccCo....',
  ],
};
const legs = {
  down: [
    ['....odDooDDo....', '....odDooDDo....', '....oooooooo....'],
    ['....odDooDDo....', '....odDoooo.....', '....oooo........'],
    ['....odDooDDo....', '.....ooooDDo....', '........oooo....'],
  ],
  side: [
    ['.....oddDDo.....', '.....oddDDo.....', '.....oooooo.....'],
    ['....oddooDDo....', '...odd.ooDDo....', '...ooo...ooo....'],
    ['.....oDdddo.....', '.....oDoddo.....', '.....ooo.oo.....'],
  ],
};

const looks = {
  player: {
    h: colour.plum,
    H: colour.ink,
    i: colour.dusk,
    c: colour.blue,
    C: colour.slate[1],
    k: colour.red,
    K: colour.redDark,
    a: colour.wood[1],
    d: colour.wood[2],
    D: colour.wood[1],
  },
  mira: {
    h: colour.amber[2],
    H: colour.amber[0],
    i: colour.amber[3],
    f: colour.cream,
    F: colour.flame[3],
    c: colour.teal,
    C: colour.tealDark,
    k: colour.cream,
    K: colour.wall[1],
    a: colour.flame[2],
    d: colour.wood[3],
    D: colour.wood[2],
  },
  old_tam: {
    t: colour.earth[2],
    T: colour.earth[0],
    w: colour.stone[4],
    W: colour.stone[3],
    c: colour.dusk,
    C: colour.plum,
    k: colour.stone[4],
    K: colour.stone[3],
    a: colour.earth[3],
    d: colour.slate[2],
    D: colour.slate[1],
  },
};

function frame(who, direction, step, carry, bob) {
  const picture = new Picture(frameWidth, frameHeight);
  const look = { o: colour.ink, s: colour.skin[2], S: colour.skin[1], b: colour.pink, e: colour.ink, ...looks[who] };
  const kind = direction === 'side' ? 'side' : 'down';
  const body = carry ? (raised[direction] ?? raised.down) : bodies[direction];
  const top = 3 + bob;
  picture.ascii(0, 20, legs[kind][step], look);
  picture.ascii(0, top + 10, body, look);
  picture.ascii(0, top, heads[who][direction], look);
  if (carry) {
    const arm = ['osso', 'occo', 'occo', 'occo', 'occo'];
    if (direction === 'side') picture.ascii(8, top + 2, ['osso', 'occo', 'occo', 'occo', 'occo', 'occo'], { ...look, o: colour.ink });
    else picture.ascii(0, top + 5, arm, look).ascii(12, top + 5, arm, look);
  }
  return picture;
}

/** Rows: player, mira, old_tam. Columns: for down, side, up: 2 idle + 4 walk with empty hands; then all again carrying. */
export function paintCharacters() {
  const sheet = new Picture(frameWidth * 36, frameHeight * 3);
  Object.keys(looks).forEach((who, row) => {
    let column = 0;
    for (const carry of [false, true])
      for (const direction of ['down', 'side', 'up'])
        for (const [step, bob] of [
          [0, 0],
          [0, 1],
          [1, 0],
          [0, -1],
          [2, 0],
          [0, -1],
        ]) {
          sheet.blit(frame(who, direction, step, carry, bob), column * frameWidth, row * frameHeight);
          column++;
        }
  });
  return sheet;
}
