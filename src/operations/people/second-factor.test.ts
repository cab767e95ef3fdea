import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import {
  drawRecoveryCodes,
  drawSecondFactor,
  hashRecoveryCode,
  stepOfCode,
} from './second-factor.ts';

/** RFC 6238, appendix B: the last six digits of the vectors for SHA-1. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [20_000_000_000, '353130'],
])('the code of second %i, and of one step before and after', (second, code) => {
  const step = Math.floor(second / 30);
  const at = (steps: number) => stepOfCode(secret, code, (second + steps * 30) * 1_000);
  expect([at(0), at(1), at(-1)]).toEqual([step, step, step]);
  expect([at(2), at(-2)]).toEqual([undefined, undefined]);
});

test('what an app takes from the URI gives codes of the secret', () => {
  const drawn = drawSecondFactor('minji@example.com');
  const app = new TOTP({ secret: drawn.secret });
  expect(drawn.uri).toMatch(/^otpauth:\/\/totp\/Playmeter:minji%40example\.com\?issuer=Playmeter&/);
  expect(drawn.uri).toContain(`secret=${drawn.secret}`);
  expect(stepOfCode(drawn.secret, app.generate({ timestamp: 60_000 }), 60_000)).toBe(2);
});

test('ten recovery codes, which are known however they are typed', () => {
  const codes = drawRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  const [code = ''] = codes;
  expect(code).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
  expect(hashRecoveryCode(code.toUpperCase().replace('-', ' '))).toBe(hashRecoveryCode(code));
  expect(hashRecoveryCode('123456')).toBeUndefined();
});
