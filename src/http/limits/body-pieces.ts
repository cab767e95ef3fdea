/**
 * Puts small pieces of a body together as they come: each that is kept takes some 300 bytes besides
 * its own, and whoever sends in chunks may send each byte by itself.
 */

/** So few take little, and need not be copied: most bodies come in one. */
const keptAsTheyCame = 8;
const smallBytes = 4 * 1_024;
const gatheredBytes = 16 * 1_024;

export interface Gathering {
  /** What is ready to be passed on, in order. */
  add(piece: Buffer): readonly Buffer[];
  /** Call it after the last piece. */
  rest(): readonly Buffer[];
}

export function gatherPieces(): Gathering {
  let pieces = 0;
  let gathered: Buffer | undefined;
  let used = 0;
  const rest = (): Buffer[] => {
    if (gathered === undefined || used === 0) return [];
    const ready = Buffer.from(gathered.subarray(0, used));
    used = 0;
    return [ready];
  };
  return {
    add(piece) {
      pieces += 1;
      if (pieces <= keptAsTheyCame || piece.length >= smallBytes) return [...rest(), piece];
      const ready = used + piece.length > gatheredBytes ? rest() : [];
      gathered ??= Buffer.allocUnsafeSlow(gatheredBytes);
      used += piece.copy(gathered, used);
      return ready;
    },
    rest,
  };
}
