/** What tokens are worth to a process that keeps seeing the same ones. */
import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { serviceSecret } from '../../../test/support/collecting-events.ts';
import { type ManualClock, manualClock } from '../../../test/support/manual-clock.ts';
import { memoryEventLog } from '../../../test/support/memory-event-log.ts';
import { claimsFor, tokenOf } from '../../../test/support/view-token.ts';
import type { Publication, SigningKey } from '../../catalog/catalog.ts';
import { createSigningSealer } from '../../operations/signing-keys.ts';
import type { Fact, PlayerEvent } from '../../store/facts.ts';
import { readTogether } from '../steps/event-reader.ts';
import { createViewTokens, identifySignedView, type ViewTokens } from './view-tokens.ts';

const startMs = Date.UTC(2026, 10, 20, 12);
const secret = 'pms_the_secret_of_the_account_that_is_long_enough';
const sealer = createSigningSealer(serviceSecret);
const claims = claimsFor('film', startMs);
const keyOf = (change: Partial<SigningKey> = {}): SigningKey => ({
  ...{ signingKeyId: 1, accountId: 1, algorithm: 'HS256', material: sealer.seal(secret) },
  ...{ createdAt: new Date(0), expiresAt: undefined, ...change },
});
const film = { accountId: 1, packageId: 2, videoId: 3, videoKey: 'film' } as Publication;

let clock: ManualClock;
/** By account. */
let keys: Record<number, SigningKey[]>;
/** The accounts whose keys were asked for, and how many secrets were opened. */
let asked: number[];
let opened: number;
let viewTokens: ViewTokens;
beforeEach(() => {
  clock = manualClock(startMs);
  keys = { 1: [keyOf()], 2: [] };
  asked = [];
  opened = 0;
  const written: PlayerEvent[][] = [];
  viewTokens = createViewTokens({
    signingKeys: {
      async known(accountId) {
        asked.push(accountId);
        return keys[accountId] ?? [];
      },
    },
    signingSealer: {
      open(material) {
        opened += 1;
        return sealer.open(material);
      },
    },
    events: readTogether(memoryEventLog(written)),
    eventSpool: { add: async (events) => void written.push([...events]) },
    clock,
  });
});

const check = (token: string, publication = film) => viewTokens.checkOne(token, publication);
const refused = (reason: string) => ({ ok: false, reason: `token: ${reason}` });
const notSigned = refused('no signing key of the account made its signature');

test.each([
  ['from its making on', {}, claims.iat],
  ['from later on', { nbf: claims.iat + 60 }, claims.iat + 60],
  ['from before it was made', { nbf: claims.iat - 60 }, claims.iat],
])('a token names a view, its viewer and when it may begin: %s', async (_name, more, from) => {
  expect(await check(tokenOf({ ...claims, sub: 'Ann', ...more }, secret))).toEqual({
    ok: true,
    value: {
      view: identifySignedView('film', 'view-1'),
      viewer: 'Ann',
      fromMs: from * 1_000,
      untilMs: claims.exp * 1_000,
    },
  });
});

test('views are told apart by video and token', () => {
  const names = [
    ...[identifySignedView('film', 'a'), identifySignedView('film', 'b')],
    ...[identifySignedView('other', 'a'), identifySignedView('film a', '')],
  ];
  expect(new Set(names).size).toBe(4);
});

test('a token is of one video, and of the account that signs for it', async () => {
  const token = tokenOf(claims, secret);
  expect(await check(token, { ...film, videoKey: 'other' })).toEqual(refused('of another video'));
  expect(await check(token, { ...film, accountId: 2 })).toEqual(notSigned);
  expect(await check(token)).toMatchObject({ ok: true });
});

test('a secret that was replaced works until it expires', async () => {
  keys[1] = [keyOf({ expiresAt: new Date(startMs + 1) })];
  const token = tokenOf(claims, secret);
  expect(await check(token)).toMatchObject({ ok: true });
  clock.advance(1);
  expect(await check(token)).toEqual(refused('the secret that signed it was replaced'));
});

test('a token is verified once, as long as the account has the same keys', async () => {
  const token = tokenOf(claims, secret);
  const [own] = keys[1] as [SigningKey];
  expect(await check(token)).toMatchObject({ ok: true });
  // The list stays the same object while nothing has changed: what is in it is not looked at again.
  keys[1]?.pop();
  expect(await check(token)).toMatchObject({ ok: true });
  keys[1] = [];
  expect(await check(token)).toEqual(notSigned);
  keys[1] = [own];
  expect(await check(token)).toMatchObject({ ok: true });
});

test('a secret is opened once, unless it cannot be', async () => {
  for (const jti of ['a', 'b']) await check(tokenOf({ ...claims, jti }, secret));
  expect(opened).toBe(1);
  const material = createSigningSealer('the secret of another service').seal(secret);
  keys[1] = [keyOf({ material })];
  const unreadable = { ok: false, reason: expect.stringContaining('cannot be read any more') };
  for (const jti of ['a', 'b']) {
    expect(await check(tokenOf({ ...claims, jti }, secret))).toEqual(unreadable);
  }
  expect(opened).toBe(3);
});

test('a public key is stored as it is', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const material = publicKey.export({ format: 'der', type: 'spki' });
  keys[1] = [keyOf({ algorithm: 'EdDSA', material })];
  expect(await check(tokenOf(claims, privateKey))).toMatchObject({ ok: true });
  expect(opened).toBe(0);
});

test('many are checked in their order, and each account is asked for its keys once', async () => {
  const token = tokenOf(claims, secret);
  const publications = [film, { ...film, accountId: 2 }, film];
  const checked = await viewTokens.check(
    publications.map((publication) => ({ token, publication })),
  );
  expect(checked.map(({ ok }) => ok)).toEqual([true, false, true]);
  expect(asked).toEqual([1, 2]);
});

test('where there is no token nobody is asked', async () => {
  expect(await viewTokens.checkOne(undefined, film)).toBeUndefined();
  expect(asked).toEqual([]);
});

test('of two plays under a token the first one counts', async () => {
  const fact = (os: string, slotStart: number): Fact => ({
    ...{ accountId: 1, packageId: 2, videoId: 3, os, osVersion: '1', view: 'signed', stretch: 0 },
    ...{ slotStart, suspect: '', plays: 1, playMs: 5 },
  });
  const signed = new Set(['signed']);
  const facts = [fact('iOS', 0), fact('Android', 0), fact('iOS', 900_000)];
  const settled = await viewTokens.settlePlays(facts, signed);
  expect(settled.map(({ plays }) => plays)).toEqual([1, 1, 0]);
});
