// Tabulators and line breaks are ours, those of CSV with a carriage return. The last are the marks
// that turn the direction of writing.
const acting = /(?![\t\n]|\r(?:\n|$))\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text as a terminal may show it. Names and titles come from anyone with a key of the account: as
 * they are, they could move the cursor, hide a line, or make it read otherwise. What would act is
 * shown by its number instead, written as in JSON, so that JSON stays the same JSON.
 */
export function terminalText(text: string): string {
  return text.replaceAll(acting, (one) => {
    return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
