import { CONTRACT_LIMITS } from '../../contract/node.ts';
import type { OpenClasp } from '../openclasp/index.ts';
import type { RelayDoor } from '../relay-door.ts';

/** A platform's session offers, at `POST /openclasp` (OpenClasp T5). The platform signs its requests, so they need no token. */
export const openClaspDoor = (offers: OpenClasp): RelayDoor => ({
  name: 'openclasp',
  routes: [
    {
      path: '/openclasp',
      methods: ['POST'],
      token: 'none',
      bodyBytes: CONTRACT_LIMITS.messageBytes,
      handle: (exchange) => offers.handle(exchange),
    },
  ],
});
