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
