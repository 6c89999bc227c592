// `npm test`, with --unit `npm run test:unit`, with --long `npm run test:long`. Before anything is installed only Node is sure: see demo-game/start.mjs.
import { nodeProblem } from '../demo-game/start/check-node.mjs';

const problem = nodeProblem(process.versions.node);
if (problem) {
  console.error(problem);
  process.exitCode = 1;
} else {
  const part = process.argv.includes('--unit') ? 'unit' : process.argv.includes('--long') ? 'long' : 'usual';
  import('./support/run-all.mjs').then(({ runAll }) => runAll(part));
}
