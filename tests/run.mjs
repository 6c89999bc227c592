// `npm test` and, with --unit, `npm run test:unit`. Before anything is installed only Node is sure: see demo-game/start.mjs.
import { nodeProblem } from '../demo-game/start/check-node.mjs';

const problem = nodeProblem(process.versions.node);
if (problem) {
  console.error(problem);
  process.exitCode = 1;
} else {
  import('./support/run-all.mjs').then(({ runAll }) => runAll(process.argv.includes('--unit')));
}
