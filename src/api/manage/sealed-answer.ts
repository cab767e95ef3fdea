/** Kept answers are sealed: one of them holds a new API key, which is stored nowhere else. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export function sealAnswer(text: string, secret: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, keyFor(secret), nonce);
  const parts = [nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()];
  return Buffer.concat(parts);
}

export function openAnswer(sealed: Uint8Array, secret: string): string {
  const bytes = Buffer.from(sealed);
  const opening = createDecipheriv(cipher, keyFor(secret), bytes.subarray(0, nonceBytes));
  opening.setAuthTag(bytes.subarray(-tagBytes));
  const text = opening.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8');
  return text + opening.final('utf8');
}

function keyFor(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'playmeter kept answer v1', 32));
}
