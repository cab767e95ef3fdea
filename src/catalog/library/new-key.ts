import { randomBytes } from 'node:crypto';

const keyBytes = 16;

/** A key of 128 random bits. It is not secret, but nobody can find another one by counting. */
export function drawKey(): string {
  for (;;) {
    const key = randomBytes(keyBytes).toString('base64url');
    // Command lines take a leading dash for an option.
    if (!key.startsWith('-')) return key;
  }
}
