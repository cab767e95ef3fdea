/** Text that only this service can read or write: AES-256-GCM, under a key for each purpose. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

export interface Sealer {
  seal(text: string): Buffer;
  /** Undefined for whatever `seal` did not make with the same secret and purpose. */
  open(sealed: Uint8Array): string | undefined;
}

/** One secret serves several purposes: what is sealed for one cannot be opened for another. */
export function createSealer(secret: string, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes));
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce);
      const parts = [nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()];
      return Buffer.concat(parts);
    },

    open(sealed) {
      if (sealed.length <= nonceBytes + tagBytes) return undefined;
      const bytes = Buffer.from(sealed);
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes));
      opening.setAuthTag(bytes.subarray(-tagBytes));
      try {
        const text = opening.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8');
        return text + opening.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
