/** Which tokens are taken, and what is said of the others. */
import { createHmac, createSecretKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { claimsFor, tokenOf } from '../../../test/support/view-token.ts';
import type { SigningKey } from '../../catalog/catalog.ts';
import { tokenLifetimeSeconds } from '../../vocabulary/view-token.ts';
import { type OpenKey, verifyToken } from './token-verification.ts';

const secret = 'pms_the_secret_of_the_account_that_is_long_enough';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const common = { accountId: 1, createdAt: new Date(0), expiresAt: undefined };
const ofSecret: SigningKey = {
  ...{ ...common, signingKeyId: 1, algorithm: 'HS256', material: Buffer.from(secret) },
};
const ofPair: SigningKey = {
  ...{ ...common, signingKeyId: 2, algorithm: 'EdDSA' },
  material: publicKey.export({ format: 'der', type: 'spki' }),
};
const keys = [ofSecret, ofPair];
const claims = claimsFor('film', Date.UTC(2026, 10, 20, 12));

let opened: number;
beforeEach(() => {
  opened = 0;
});
const open: OpenKey = ({ algorithm, material }) => {
  opened += 1;
  return algorithm === 'EdDSA' ? publicKey : createSecretKey(material);
};
const verify = (token: string, some: readonly SigningKey[] = keys) =>
  verifyToken(token, some, open);
const taken = (key: SigningKey, more: object = {}) => ({
  ok: true,
  value: { claims: { ...claims, ...more }, key },
});

test('a token by the secret, or by the private key of the public one, is taken', async () => {
  expect(await verify(tokenOf(claims, secret))).toEqual(taken(ofSecret));
  expect(await verify(tokenOf(claims, privateKey))).toEqual(taken(ofPair));
  const more = { sub: 'viewer', nbf: claims.iat, iss: 'site', aud: 'stats', anything: [1] };
  expect(await verify(tokenOf({ ...claims, ...more }, secret, { typ: 'JWT' }))).toEqual(
    taken(ofSecret, more),
  );
});

test('every key of the algorithm is tried, and none of the other', async () => {
  const other: SigningKey = { ...ofSecret, signingKeyId: 3, material: Buffer.from('x'.repeat(40)) };
  expect(await verify(tokenOf(claims, secret), [ofPair, other, ofSecret])).toEqual(taken(ofSecret));
  expect(opened).toBe(2);
});

const noSigner = 'token: no signing key of the account made its signature';
test('that a secret cannot be read is said where no other key made the signature', async () => {
  const sealed: SigningKey = { ...ofSecret, signingKeyId: 3 };
  const openOthers: OpenKey = (key) => (key === sealed ? undefined : open(key));
  const unreadable = { ok: false, reason: expect.stringContaining('cannot be read') };
  expect(await verifyToken(tokenOf(claims, secret), [sealed], openOthers)).toEqual(unreadable);
  expect(await verifyToken(tokenOf(claims, 'other'), [sealed, ofSecret], openOthers)).toEqual(
    unreadable,
  );
  const readable = await verifyToken(tokenOf(claims, secret), [sealed, ofSecret], openOthers);
  expect(readable).toEqual(taken(ofSecret));
});

const noForm = 'token: not a signed token (JWS, compact form)';
const noAlgorithm = 'token: alg must be HS256 or EdDSA';
const noClaims = 'token: claims must be object';
const der = publicKey.export({ format: 'der', type: 'spki' });
const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
const [header = '', payload = '', signature = ''] = tokenOf(claims, secret).split('.');
const encoded = (text: string) => Buffer.from(text).toString('base64url');

test.each([
  ['the secret of another account', tokenOf(claims, `${secret}x`), noSigner],
  [
    'the key of another account',
    tokenOf(claims, generateKeyPairSync('ed25519').privateKey),
    noSigner,
  ],
  ['no algorithm', tokenOf(claims, secret, { alg: 'none' }), noAlgorithm],
  ['none, without a signature', `${encoded('{"alg":"none"}')}.${payload}.`, noAlgorithm],
  ['none, in other letters', tokenOf(claims, secret, { alg: 'nOnE' }), noAlgorithm],
  ['the public key taken for a secret', tokenOf(claims, pem), noSigner],
  ['the same, as bytes', tokenOf(claims, der.toString('latin1')), noSigner],
  ['HS256 that calls itself EdDSA', tokenOf(claims, secret, { alg: 'EdDSA' }), noSigner],
  ['EdDSA that calls itself HS256', tokenOf(claims, privateKey, { alg: 'HS256' }), noSigner],
  ['HS512', tokenOf(claims, secret, { alg: 'HS512' }), noAlgorithm],
  [
    'an extension that must be understood',
    tokenOf(claims, secret, { crit: ['x'], x: 1 }),
    noSigner,
  ],
  ['claims that are not encoded', tokenOf(claims, secret, { b64: false, crit: ['b64'] }), noClaims],
  ['a key that it brings along', tokenOf(claims, `${secret}x`, { jwk: { kty: 'oct' } }), noSigner],
  ['other claims', `${header}.${encoded('{}')}.${signature}`, noSigner],
  ['no signature', `${header}.${payload}.`, noSigner],
  ['half of it', `${header}.${payload}`, noForm],
  ['one dot more', `${header}.${payload}.${signature}.`, noForm],
  ['no text', '', noForm],
  ['any text', 'a.b.c', noForm],
])('%s', async (_name, token, reason) => {
  expect(await verify(token)).toEqual({ ok: false, reason });
});

test('no key, no token', async () => {
  expect(await verify(tokenOf(claims, secret), [])).toEqual({ ok: false, reason: noSigner });
});

test.each([
  ['video', { video: undefined }, 'video is missing'],
  ['jti', { jti: undefined }, 'jti is missing'],
  ['iat', { iat: undefined }, 'iat is missing'],
  ['exp', { exp: undefined }, 'exp is missing'],
  ['an empty jti', { jti: '' }, 'jti'],
  ['a jti with spaces', { jti: 'a view' }, 'jti'],
  ['a long jti', { jti: 'x'.repeat(129) }, 'jti'],
  ['a jti of a number', { jti: 1 }, 'jti'],
  ['exp as text', { exp: '2026-11-20' }, 'exp'],
  ['exp with a fraction', { exp: claims.exp + 0.5 }, 'exp'],
  ['a long sub', { sub: 'x'.repeat(257) }, 'sub'],
  ['a day and a second', { exp: claims.iat + tokenLifetimeSeconds + 1 }, 'at most 24 hours'],
])('claims that are not right: %s', async (_name, change, part) => {
  expect(await verify(tokenOf({ ...claims, ...change }, secret))).toEqual({
    ok: false,
    reason: expect.stringMatching(new RegExp(`^token: (?:exp must be )?${part}`)),
  });
});

test('claims that are not UTF-8 are none', async () => {
  const broken = Buffer.concat([
    Buffer.from(JSON.stringify({ ...claims, jti: 'JTI' }).replace(/JTI.*$/, '')),
    Buffer.from([0xff]),
    Buffer.from(`","iat":${claims.iat},"exp":${claims.exp}}`),
  ]);
  const content = `${header}.${broken.toString('base64url')}`;
  const made = createHmac('sha256', secret).update(content).digest('base64url');
  expect(await verify(`${content}.${made}`)).toEqual({ ok: false, reason: noClaims });
});

test('a day is right', async () => {
  const exp = claims.iat + tokenLifetimeSeconds;
  expect(await verify(tokenOf({ ...claims, exp }, secret))).toMatchObject({ ok: true });
});

test('claims that are no object are not taken, though well signed', async () => {
  for (const other of [[], 'claims', 7, null]) {
    expect(await verify(tokenOf(other as object, secret))).toMatchObject({ ok: false });
  }
});

test('whatever is changed in a token, it is refused or means the same', async () => {
  const token = tokenOf(claims, secret);
  await fc.assert(
    fc.asyncProperty(fc.nat(token.length - 1), fc.string({ maxLength: 2 }), async (at, put) => {
      const changed = token.slice(0, at) + put + token.slice(at + 1);
      const result = await verify(changed);
      // The last digit of base64url may carry bits that say nothing.
      if (result.ok) expect(result).toEqual(taken(ofSecret));
      else expect(result.reason).toMatch(/^token: /);
    }),
    { numRuns: 500 },
  );
});
