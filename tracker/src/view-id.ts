/** Random digits, 127 bits of them: crypto.randomUUID is missing in pages over plain http. */
export function createViewId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('');
}
