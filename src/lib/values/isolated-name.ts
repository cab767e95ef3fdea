/**
 * A name that somebody chose, within a text of ours: it begins no line and no header, and where it
 * is written from the right, or says so by a mark, it turns around nothing beside it.
 */
export function isolateName(name: string): string {
  const line = name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
  const plain = line.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
  const isTurned = plain !== line || /[\u0590-\u08ff\ufb1d-\ufefc]/.test(plain);
  return isTurned ? `\u2068${plain}\u2069` : plain;
}
