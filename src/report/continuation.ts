/** Continuation tokens: which page of which kept answer, sealed: only this service reads it. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { accept, type Result, refuse } from '../lib/result.ts';

export interface Position {
  readonly requestId: string;
  readonly accountId: number;
  /** Path of the address that answered. */
  readonly address: string;
  /** Rows before the page. */
  readonly offset: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface TokenSealer {
  /** Base64url text: its use in a URL needs no encoding, and encoding it changes nothing. */
  seal(position: Position): string;
  /** Refuses whatever `seal` did not make; expiry is for the caller to judge. */
  open(token: string): Result<Position, 'TOKEN_INVALID'>;
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export function createTokenSealer(secret: string): TokenSealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'playmeter continuation token v1', 32));
  return {
    seal(position) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce);
      const text = sealing.update(JSON.stringify(position), 'utf8');
      const parts = [nonce, text, sealing.final(), sealing.getAuthTag()];
      return Buffer.concat(parts).toString('base64url');
    },
    open(token) {
      // Base64 readers skip what they do not know; a token has to be the one text that was made.
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.toString('base64url') !== token) return refuse('TOKEN_INVALID');
      if (bytes.length <= nonceBytes + tagBytes) return refuse('TOKEN_INVALID');
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes));
      opening.setAuthTag(bytes.subarray(-tagBytes));
      try {
        const text = opening.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8');
        return accept(JSON.parse(text + opening.final('utf8')) as Position);
      } catch {
        return refuse('TOKEN_INVALID');
      }
    },
  };
}
