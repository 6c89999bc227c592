import { type Brain, behaviourTree } from 'phaser-aicc/brain';
import { Mira, type Mouth } from './mira.ts';

/** What Mira does, in the order of what matters: answer, give, obey, light what can be lit, fetch what is known, search. */
const definition = `root {
  selector {
    sequence {
      condition [Spoken]
      action [Answer]
    }
    selector while(Quiet) {
      sequence {
        condition [Idle]
        action [Rest]
      }
      sequence {
        condition [WantsToGive]
        action [GoToPlayer] while(WantsToGive)
        action [GiveOil]
      }
      sequence {
        condition [Following]
        action [Follow]
      }
      sequence {
        condition [HasOil]
        action [ChooseLantern]
        wait [900]
        action [GoToLantern] while(LanternIsDark)
        action [LightLantern]
        wait [1500]
      }
      sequence {
        condition [KnowsOil]
        action [ChooseOil]
        wait [900]
        action [GoToOil] while(OilMayBeThere)
        action [PickUp]
      }
      sequence {
        action [ChooseSpot]
        action [GoToSpot] while(KnowsNoOil)
        wait [1500]
      }
    }
  }
}`;

/** Mira's built-in mind: a behaviour tree that senses and acts through the same tools as any agent. */
export function companion(mouth?: Mouth): Brain {
  return behaviourTree({ definition, stepMs: 200, agent: (session, signal) => new Mira(session, signal, mouth) });
}
