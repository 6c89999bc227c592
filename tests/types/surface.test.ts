/** Games as people write them, against the surface that they get. They are compiled, and never run: no Phaser is loaded here. */
import type * as Phaser from 'phaser';
import type { aicc, aiccOf, Body, Brain, Character, Context, defineTool, JsonObject, SceneAicc, Tool } from 'phaser-aicc';
import type { behaviourTree, defineBrain } from 'phaser-aicc/brain';
import type { policyFor } from 'phaser-aicc/contract';
import type { body, controls, face, interact, moveTo, say, stop, vision } from 'phaser-aicc/kit';
import type * as local from 'phaser-aicc/local';
import { describe, expectTypeOf, test } from 'vitest';

interface Package {
  Phaser: typeof Phaser;
  aicc: typeof aicc;
  aiccOf: typeof aiccOf;
  defineTool: typeof defineTool;
  policyFor: typeof policyFor;
  brains: { behaviourTree: typeof behaviourTree; defineBrain: typeof defineBrain };
  kit: {
    vision: typeof vision;
    body: typeof body;
    controls: typeof controls;
    moveTo: typeof moveTo;
    stop: typeof stop;
    face: typeof face;
    say: typeof say;
    interact: typeof interact;
  };
}

/** A platformer: an Arcade sprite, a static group of coins, a death that restarts the scene. */
function platformer({ Phaser, aiccOf, kit: { vision, controls } }: Package) {
  return class Level extends Phaser.Scene {
    create() {
      const hero = this.physics.add.sprite(40, 200, 'hero');
      const coins = this.physics.add.staticGroup();
      const keys = this.input.keyboard!.createCursorKeys();
      const ai = aiccOf(this);
      ai.entities(coins, { kind: 'coin' });
      const pressing = controls({ left: keys.left, right: keys.right, jump: keys.up });
      const character = ai.character('hero', hero, { description: 'Runs and jumps.', tools: [vision({ radius: 300 }), pressing] });
      this.events.once('die', () => {
        character.emit('state_change', { kind: 'died' });
        this.scene.restart();
      });
    }
  };
}

/** Top-down, with a tilemap, a tool of its own on the character's body, a pool of wolves under one agent, and drivers in the page. */
function forest({ Phaser, aiccOf, brains, defineTool, kit }: Package) {
  const brain = brains.behaviourTree({
    definition: 'root { action [Roam] }',
    agent: (session) => ({ Roam: () => session.call('move_to') }),
  });
  const greeter: Brain = brains.defineBrain({
    kind: 'greeter',
    start: (session) => session.on('audio', ({ from }) => void session.call('say', { text: `Hello, ${from}!` })),
  });
  const bite = defineTool({
    id: 'bite',
    class: 'actuator',
    description: 'Bite the player if within 24 px',
    lane: 'jaw',
    available: (context) => Phaser.Math.Distance.BetweenPoints(context.body.position(), { x: 0, y: 0 }) < 24 || 'too far',
    run(_input, context) {
      (context.body.object as Phaser.Physics.Arcade.Sprite).play('bite');
    },
  });
  return class Forest extends Phaser.Scene {
    create() {
      const walls = this.make.tilemap({ key: 'map' }).createLayer('walls', 'tiles');
      const ai = aiccOf(this);
      if (walls) ai.map(walls as Phaser.Tilemaps.TilemapLayer);
      const flasks = this.physics.add.group({ classType: Phaser.Physics.Arcade.Sprite, maxSize: 30 });
      ai.entities(flasks, { kind: 'flask', state: (flask) => ({ active: flask.active }), hidden: (flask) => !flask.active });
      const wolf = ai.character('wolf', this.physics.add.sprite(0, 0, 'wolf'), {
        description: 'A wolf.',
        default: true,
        tools: [
          kit.vision(),
          kit.body({ state: (context) => ({ tick: context.tick }) }),
          kit.moveTo({ speed: 90 }),
          kit.stop(),
          kit.face(),
          kit.say({ earshot: 500 }),
          kit.interact({
            actions: { sniff: { description: 'Sniff at it.', kinds: ['flask'], run: (target) => ({ smelled: target.id }) } },
          }),
          bite,
        ],
      });
      wolf.drive(brain);
      wolf.drive(greeter);
      const wolves = this.physics.add.group({ classType: Phaser.Physics.Arcade.Sprite, maxSize: 30 });
      const pack = ai.character('pack', wolves, {
        description: 'Up to 30 wolves.',
        tools: [kit.vision(), kit.moveTo(), bite],
        fallback: 'hold',
      });
      pack.drive(brain);
      ai.character('pup', this.add.zone(0, 0, 1, 1), { description: 'A pup.', tools: [bite], fallback: brain });
      wolves.get(100, 100);
      wolf.on('driver', (driver) => this.registry.set('badge', `${driver} ${wolf.mind}`));
    }
  };
}

/** A card game: no body, inputs typed by their schema. */
function battle({ Phaser, aiccOf, defineTool, kit: { say } }: Package) {
  const playCard = defineTool({
    id: 'play_card',
    class: 'actuator',
    description: 'Play a card from your hand',
    input: { type: 'object', properties: { card: { type: 'string' }, target: { type: 'string' } }, required: ['card'] },
    run: async ({ card, target }, context) => {
      expectTypeOf(card).toEqualTypeOf<string>();
      expectTypeOf(target).toEqualTypeOf<string | undefined>();
      await context.sleep(300);
      return { played: card, on: target ?? '' };
    },
  });
  const endTurn = defineTool({ id: 'end_turn', class: 'actuator', description: 'End your turn', run: () => ({}) });
  return class Battle extends Phaser.Scene {
    async rivalTurn(hand: string[]) {
      const rival = aiccOf(this).character('rival', null, { description: 'Card duelist', tools: [playCard, endTurn, say()] });
      const { call, by, output } = await rival.ask({
        prompt: 'Your turn.',
        tools: ['play_card', 'end_turn'],
        state: { hand },
        deadlineMs: 8000,
        fallback: () => ({ tool: 'end_turn', input: {} }),
      });
      expectTypeOf(by).toEqualTypeOf<'agent' | 'builtin' | 'fallback'>();
      expectTypeOf(output).toEqualTypeOf<JsonObject>();
      rival.emit('state_change', { kind: 'played', card: String(call.input.card) }, { dataClass: 'public' });
      aiccOf(this).trigger('turn_over');
      aiccOf(this).condition('duel_over', hand.length === 0);
    }
  };
}

/** A body of one's own, and the plugin in the game config, both ways. */
function config({ Phaser, aicc, aiccOf, policyFor }: Package, scene: Phaser.Scene) {
  const turret: Body<{ aim: number }> = { object: { aim: 0 }, position: () => ({ x: 1, y: 2 }), face: (angle) => void angle };
  aiccOf(scene).character('turret', turret, { description: 'A turret.', tools: [] });
  const entry = aicc({ world: 'forest', tickMode: 'fixed', tickRateHz: 20, relay: 'ws://127.0.0.1:4750/game', token: () => 'secret' });
  new Phaser.Game({ plugins: { global: [entry] } });
  new Phaser.Game({
    plugins: { global: [aicc({ world: 'duel', tickMode: 'event', freeze: false, barrier: 'all', advanceOn: ['actuator'] })] },
  });
  aicc({
    world: 'forest',
    background: 'pause',
    workerUrl: 'beat-worker.js',
    log: (message) => scene.registry.set('log', message),
    contracts: policyFor,
  });
  new Phaser.Game({ type: Phaser.HEADLESS, callbacks: { preBoot: entry.preBoot } });
}

describe('the surface', () => {
  test('fits a platformer, a top-down game and a card game', () => {
    expectTypeOf(platformer).returns.toExtend<typeof Phaser.Scene>();
    expectTypeOf(forest).returns.toExtend<typeof Phaser.Scene>();
    expectTypeOf(battle).returns.toExtend<typeof Phaser.Scene>();
    expectTypeOf(config).returns.toBeVoid();
  });

  test('has no any in it', () => {
    expectTypeOf<Brain>().toEqualTypeOf<{ readonly kind: string }>();
    expectTypeOf<ReturnType<typeof aiccOf>>().toEqualTypeOf<SceneAicc>();
    expectTypeOf<SceneAicc['character']>().returns.toEqualTypeOf<Character>();
    expectTypeOf<Character['emit']>().parameter(1).toEqualTypeOf<JsonObject>();
    expectTypeOf<Character['driver']>().toEqualTypeOf<'none' | 'builtin' | 'person' | 'agent'>();
    expectTypeOf<Context['body']['object']>().toBeUnknown();
    expectTypeOf<Context['scene']>().toEqualTypeOf<Phaser.Scene>();
    expectTypeOf<ReturnType<typeof defineTool>>().toEqualTypeOf<Tool>();
  });

  test('phaser-aicc/local is the same without the remote options', () => {
    expectTypeOf<typeof local.aiccOf>().toEqualTypeOf<typeof aiccOf>();
    expectTypeOf<typeof local.defineTool>().toEqualTypeOf<typeof defineTool>();
    expectTypeOf<Parameters<typeof aicc>[0]>().toExtend<Parameters<typeof local.aicc>[0]>();
    expectTypeOf<Parameters<typeof local.aicc>[0]>().not.toHaveProperty('relay');
  });
});
