import { randomBytes } from 'node:crypto';
import type { ShareToken } from '../shares.ts';

const startBytes = 6;
const secretBytes = 32;
const startLength = 8;
const form = /^[A-Za-z0-9_-]{51}$/;

/**
 * The token of a share: 8 characters that stand in its path and find its row, then 43 that are
 * the secret (256 random bits) and stand in the fragment, which browsers do not send.
 */
export function drawShareToken(): ShareToken {
  const draw = (bytes: number) => randomBytes(bytes).toString('base64url');
  return { start: draw(startBytes), secret: draw(secretBytes) };
}

export function isShareToken(text: string): boolean {
  return form.test(text);
}

export function startOfToken(token: string): string {
  return token.slice(0, startLength);
}
