/** "1:02:03", "2:05" or "95" in milliseconds; "" is 0; undefined for what is no length. */
export function readLength(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  if (!/^\d{1,6}(:\d{1,2}){0,2}(\.\d{1,3})?$/.test(trimmed)) return undefined;
  const seconds = trimmed.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round(seconds * 1_000);
}
