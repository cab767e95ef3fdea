/** The text alone: a piece of a longer one would hold on to all of that. */
export function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
