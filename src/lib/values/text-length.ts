/** Whether a text has more than so many characters: code points, as JSON Schema counts them. */
export function isLongerThan(text: string, characters: number): boolean {
  // Each has one or two code units: a text that is far too long is not counted.
  if (text.length <= characters) return false;
  return text.length > 2 * characters || [...text].length > characters;
}
