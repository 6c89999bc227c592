/** For its effect: `import '…/headless/install.ts'` before anything that loads `phaser`. */
import { installShim } from './shim.ts';

installShim();
