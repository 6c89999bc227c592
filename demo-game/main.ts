import * as Phaser from 'phaser';
import { pageConfig } from './config.ts';
import { playerTyped } from './input/typed.ts';
import { readOptions } from './options.ts';
import { ApprovalDialog } from './page/approval-dialog.ts';
import { Approvals } from './page/approvals.ts';
import { ChatBox } from './page/chat-box.ts';
import { dressPage } from './page/dress-page.ts';
import { showState } from './page/show-state.ts';
import { viewSize } from './page/view-size.ts';
import { pageEvent, sceneKey } from './scenes/keys.ts';
import type { NightScene } from './scenes/night.ts';
import { playSound } from './world/sounds.ts';

const parentId = 'game';
const parent = document.getElementById(parentId);
if (parent === null) throw new Error(`The page has no element "${parentId}" to put the game in.`);

const newSeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);
const options = readOptions(location.search, newSeed);
const size = () => viewSize(window.innerWidth, window.innerHeight, window.devicePixelRatio || 1);
const approvals = new Approvals(
  new ApprovalDialog(parent, () => {
    dressPage(game, parent, size().zoom);
    if (!game.scene.isActive(sceneKey.night)) return;
    night().controls.release();
    playSound(night(), 'warning', 0.4);
  }),
);
const game = new Phaser.Game(pageConfig(options, parentId, size(), (request) => approvals.ask(request)));
const night = () => game.scene.getScene(sceneKey.night) as NightScene;

const chat = new ChatBox(parent, (text) => {
  if (game.scene.isActive(sceneKey.night)) playerTyped(night(), text);
});
game.events.on(pageEvent.chat, () => {
  if (game.scene.isActive(sceneKey.night)) chat.open();
});
game.events.on(pageEvent.nightBegins, () => approvals.open());
game.events.on(pageEvent.nightEnds, () => approvals.close());
showState(game, parent);

window.addEventListener('resize', () => {
  const { width, height, zoom } = size();
  // In this order: at a zoom of 1 Phaser's resize leaves the canvas as large on the page as it was.
  game.scale.resize(width, height).setZoom(zoom);
  dressPage(game, parent, zoom);
});
