/** Viewers: who stands behind views, as far as an account lets that be known. */

/** How an account tells viewers apart; the first is the default. */
export const viewerModes = {
  anonymous:
    'a viewer whom the page or a signed token names is named, ' +
    'any other is anonymous and of one day',
  daily: 'names are ignored: all viewers are anonymous and of one day',
  named: 'only named viewers; nobody is told apart by address and User-Agent',
  none: 'no viewers: every view is a viewer of its own',
} as const;

export type ViewerMode = keyof typeof viewerModes;
export const viewerModeNames = Object.keys(viewerModes) as ViewerMode[];

const hourMs = 3_600_000;
/** How long after its day a salt is still used: for beacons that were kept while offline. */
export const saltUseMs = 46 * hourMs;
/** When it is destroyed: an hour later, because nodes' clocks differ. Promised are 48 hours. */
export const saltLifetimeMs = 47 * hourMs;

/* What was told of a viewer, as a number of 64 bits: the best of several is the largest. */

const kindBits = 62n;
/** Refused by the viewer, named, anonymous and of a day. Nothing told: 0. */
const kinds = { refused: 3n, named: 2n, daily: 1n };
/** Set for names that a signed token told. It does not tell viewers apart. */
const signedBit = 2n ** 61n;
const dayBits = 46n;
const largestDay = 2n ** 16n - 1n;
const allBits = 2n ** 64n - 1n;

/** No viewer, whatever else is told. */
export const refusedViewer = String(kinds.refused << kindBits);

/** `hash`: 64 bits of it, of which 61 are kept. */
export function toldNamed(hash: bigint, isSigned: boolean): string {
  const bits = hash & (signedBit - 1n);
  return String((kinds.named << kindBits) | (isSigned ? signedBit : 0n) | bits);
}

/** `day`: days since 1970; the earliest is the largest. Of the hash 46 bits are kept. */
export function toldDaily(hash: bigint, day: number): string {
  const earliness = largestDay - BigInt(day);
  const bits = hash & (2n ** dayBits - 1n);
  return String((kinds.daily << kindBits) | (earliness << dayBits) | bits);
}

/** Whether these bits are those of a named viewer, in SQL. */
export const isNamedSql = (bits: string) => `bitShiftRight(${bits}, ${kindBits}) = ${kinds.named}`;

/** Bits that stand for the viewer, in SQL over what was told; 0: none. */
export function viewerSql(told: string): string {
  return `multiIf(bitShiftRight(${told}, ${kindBits}) = ${kinds.refused}, toUInt64(0),
    ${isNamedSql(told)}, bitAnd(${told}, ${allBits - signedBit}), ${told})`;
}

/** The same of a number. */
export function viewerOfTold(told: string): string {
  const bits = BigInt(told);
  const kind = bits >> kindBits;
  if (kind === kinds.refused) return '0';
  return String(kind === kinds.named ? bits & (allBits - signedBit) : bits);
}

const digitsOfPseudonym = 16;

/** What stands for a named viewer where people see it: the kept bits of the hash. */
export function createPseudonym(viewer: string): string {
  const hash = BigInt(viewer) & (signedBit - 1n);
  return hash.toString(16).padStart(digitsOfPseudonym, '0');
}
