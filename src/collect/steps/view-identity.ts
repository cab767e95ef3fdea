import { hash } from 'node:crypto';

/**
 * Each wire form names its views in a space of its own. Agreements are in the event log only, and
 * the names of signed views are longer than any in a beacon.
 */
type NameSpace = 'beacon' | 'cmcd' | 'player-log' | 'agreement' | 'signed';
const reserved = /^(?:beacon|cmcd|player-log) /;
/** A byte that no UTF-8 text has. */
const illFormedMark = Buffer.from([0xff]);

/**
 * A view's identity: 128 bits of SHA-256 in the form of a UUID, so that all have one size and the
 * sender's text is not stored. Invariant: different names are hashed from different bytes, and a
 * name that was ever stored keeps its identity, or a beacon that comes again counts twice.
 */
export function identifyView(space: NameSpace, name: string): string {
  // The first release hashed the names in beacons bare, whatever they began with.
  const isBare = space === 'beacon' && !reserved.test(name);
  const hex = hash('sha256', encodeName(isBare ? name : `${space} ${name}`), 'hex');
  const [a, b, c] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16)];
  return `${a}-${b}-${c}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** UTF-8 has no half of a surrogate pair: all would become the same replacement character. */
function encodeName(name: string): string | Buffer {
  if (name.isWellFormed()) return name;
  return Buffer.concat([illFormedMark, Buffer.from(name, 'utf16le')]);
}
