// `npm start`. Before anything is installed only Node is sure, and maybe an old one: this file and check-node.mjs keep to plain syntax.
import { nodeProblem } from './start/check-node.mjs';

const problem = nodeProblem(process.versions.node);
if (problem) {
  console.error(problem);
  process.exitCode = 1;
} else {
  import('./start/play.mjs').then(({ play }) => play(process.argv.slice(2)));
}
