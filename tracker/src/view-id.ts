/** 128 random bits in hexadecimal: crypto.randomUUID is missing in pages over plain http. */
export function createViewId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => (byte + 256).toString(16).slice(1)).join('');
}
