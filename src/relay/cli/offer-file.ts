import { judged, type Offer, readShape } from '../../contract/node.ts';
import { UsageError } from './io.ts';
import { readText } from './secret-files.ts';

/** An offer whose shape is right; nothing else of it is checked. @throws {UsageError} */
export async function readOfferFile(path: string): Promise<Offer> {
  const text = await readText(path);
  const read = judged(() => ({ ok: true, offer: readShape('offer', text) }));
  if (!read.ok) throw new UsageError(`${path} is no session offer: ${read.reason}`);
  return read.offer;
}
