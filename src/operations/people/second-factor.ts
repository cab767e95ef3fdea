/** Codes of an authenticator app (TOTP, RFC 6238), and those that stand in for it once. */
import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const periodSeconds = 30;
const secretBytes = 20;
const recoveryCodes = 10;
/** 50 bits, as ten characters that nobody mistakes for others. */
const codeLength = 10;
const codeLetters = '0123456789abcdefghjkmnpqrstvwxyz';

export interface NewSecondFactor {
  /** In Base32, as apps take it by hand. */
  readonly secret: string;
  /** As apps take it from a QR code. */
  readonly uri: string;
}

export function drawSecondFactor(label: string): NewSecondFactor {
  const secret = new Secret({ buffer: new Uint8Array(randomBytes(secretBytes)).buffer });
  return { secret: secret.base32, uri: createTotp(secret.base32, label).toString() };
}

/** The time step whose code it is: now, or the one before or after; undefined: of none of these. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = createTotp(secret, '').validate({ token: code, timestamp: nowMs, window: 1 });
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / periodSeconds) + delta;
}

function createTotp(secret: string, label: string): TOTP {
  const issuer = 'Playmeter';
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: periodSeconds });
}

export function drawRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodes }, () => {
    const letters = [...randomBytes(codeLength)].map((byte) => codeLetters[byte % 32]).join('');
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  });
}

/** As it is stored, however it was typed; undefined if it cannot be one. */
export function hashRecoveryCode(typed: string): string | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  if (!/^[0-9a-hj-km-np-tv-z]{10}$/.test(code)) return undefined;
  return createHash('sha256').update(code).digest('hex');
}
