/** What rows show for a dimension, and its order. */

export interface Label {
  readonly value: string | number;
  /** For people, beside it. */
  readonly caption?: string | undefined;
  /** What it is ordered by. */
  readonly order: string | number;
  /** What the label of a row of another range must be to stand for the same. */
  readonly place: string | number;
}

/** Of one dimension. */
export function compareLabels(one: Label, other: Label): number {
  if (one.order === other.order) return compareText(String(one.value), String(other.value));
  if (typeof one.order === 'number' && typeof other.order === 'number') {
    return one.order - other.order;
  }
  return compareText(String(one.order), String(other.order));
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * A text whose UTF-16 units are in the order of the code points of `text`, which is that of its
 * UTF-8 and so that of the store: `<` puts a character beyond U+FFFF, whose units begin at D800,
 * before those from U+E000. Made once a label, so that sorting is as fast as `<`.
 */
export function textOrder(text: string): string {
  return text.replace(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}

/**
 * A text in whose order versions are as people read them, by their parts: 9 before 10 before 10.15.
 * Numbers are by value, also those with more digits than a number has, and anything else is after
 * them, as text. No version has the control characters that keep the parts apart.
 */
export function versionOrder(version: string): string {
  const parts = version.split('.').map((part) => {
    if (!/^[0-9]+$/.test(part)) return `\u0002${part}`;
    const digits = part.replace(/^0+/, '');
    return `\u0001${String.fromCharCode(digits.length)}${digits}${part}`;
  });
  return `${parts.join('\0')}\0`;
}
