/** A random UUID. Pages over plain http have no crypto.randomUUID, only getRandomValues. */
export function createViewId(): string {
  return crypto.randomUUID
    ? crypto.randomUUID()
    : uuidOf(crypto.getRandomValues(new Uint8Array(16)));
}

/** RFC 9562, version 4, from 16 random bytes. */
export function uuidOf(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => (byte + 256).toString(16).slice(1)).join('');
  const variant = '89ab'[(bytes[8] ?? 0) & 3];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}
