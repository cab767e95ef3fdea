import { randomBytes } from 'node:crypto';

const keyBytes = 16;

/** A key of 128 random bits. No secret, but nobody shall come upon another's by counting. */
export function drawKey(): string {
  for (;;) {
    const key = randomBytes(keyBytes).toString('base64url');
    // A command line takes what begins with a dash for an option.
    if (!key.startsWith('-')) return key;
  }
}
