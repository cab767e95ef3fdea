import { hash } from 'node:crypto';

/**
 * A view's identity: 128 bits of SHA-256 in the form of a UUID, so that all are of one size and the
 * sender's text is not kept. Each wire form names its views within a prefix of its own.
 */
export function identifyView(name: string): string {
  const hex = hash('sha256', name, 'hex');
  const [a, b, c] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16)];
  return `${a}-${b}-${c}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
