import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const prefixBytes = 6;
const secretBytes = 32;
const form = /^pm_([A-Za-z0-9_-]{8})[A-Za-z0-9_-]{43}$/;

/**
 * An API key is `pm_`, 8 characters that may be shown in lists, and 43 that are the actual secret
 * (256 random bits). A slow hash would gain nothing: nobody can guess 256 bits.
 */
export function drawSecret(): string {
  const visible = randomBytes(prefixBytes).toString('base64url');
  return `pm_${visible}${randomBytes(secretBytes).toString('base64url')}`;
}

/** The part that may be shown; undefined if the text cannot be a key at all. */
export function findPrefix(secret: string): string | undefined {
  return form.exec(secret)?.[1];
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function isSameHash(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left, 'hex'), Buffer.from(right, 'hex'));
}

const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** The token of a session, or of a link that signs in: as hard to guess as a key. */
export function drawToken(): string {
  return randomBytes(secretBytes).toString('base64url');
}

export function isToken(text: string): boolean {
  return tokenForm.test(text);
}
