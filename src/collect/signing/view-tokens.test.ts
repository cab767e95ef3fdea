/** What tokens are worth to a process that keeps seeing the same ones. */
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { serviceSecret } from '../../../test/support/collecting-events.ts';
import { type ManualClock, manualClock } from '../../../test/support/manual-clock.ts';
import { memoryEventLog } from '../../../test/support/memory-event-log.ts';
import { scheduledEventLog } from '../../../test/support/scheduled-event-log.ts';
import { claimsFor, tokenOf } from '../../../test/support/view-token.ts';
import type { Publication, SigningKey } from '../../catalog/catalog.ts';
import { createSigningSealer } from '../../operations/signing-keys.ts';
import { type Fact, type PlayerEvent, slotMs } from '../../store/facts.ts';
import { readTogether } from '../steps/event-reader.ts';
import { createAgreement } from '../steps/instant-agreement.ts';
import {
  createViewTokens,
  identifySignedView,
  onePlayAToken,
  type SettlePlays,
  type ViewTokens,
} from './view-tokens.ts';

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

/** Any mix of retries, views, devices, instants and nodes makes one play a token. */

interface Reported {
  readonly token: number;
  readonly stretch: number;
  readonly slot: number;
  readonly os: string;
  readonly plays: 0 | 1;
  readonly playMs: number;
  readonly node: number;
}

const reported: fc.Arbitrary<Reported> = fc.record({
  token: fc.nat(2),
  stretch: fc.nat(2),
  slot: fc.nat(2),
  os: fc.constantFrom('iOS', 'Android'),
  plays: fc.constantFrom(0, 1),
  playMs: fc.nat(2),
  node: fc.nat(1),
});

function factOf({ token, stretch, slot, os, plays, playMs }: Reported): Fact {
  const about = { accountId: 1, packageId: 2, videoId: 3, osVersion: '1', suspect: '' };
  const slotStart = slot * slotMs;
  return { ...about, os, view: `token ${token}`, stretch, slotStart, plays, playMs };
}

const signed = new Set(['token 0', 'token 1', 'token 2']);

/** Two processes on one event log whose writes and reads take effect in any order. */
function twoNodes(scheduler: fc.Scheduler): SettlePlays[] {
  const log = scheduledEventLog(scheduler);
  return [onePlayAToken(createAgreement(log)), onePlayAToken(createAgreement(log))];
}

const identityOf = ({ view, stretch, slotStart }: Fact) =>
  JSON.stringify([view, stretch, slotStart]);

test('one play a token, and no time is lost', async () => {
  const requests = fc.array(fc.array(reported, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), requests, async (scheduler, given) => {
      const nodes = twoNodes(scheduler);
      const send = (batch: readonly Reported[]) =>
        nodes[batch[0]?.node ?? 0]?.(batch.map(factOf), signed) ?? Promise.resolve([]);
      const first = given.map(send);
      await scheduler.waitIdle();
      const again = given.map(send);
      await scheduler.waitIdle();
      const facts = (await Promise.all([...first, ...again])).flat();

      // What was played, counted naively: of all that shows a token's play, one.
      const sent = given.flat();
      const shown = new Set(sent.filter(({ plays }) => plays > 0).map(({ token }) => token));
      const played = new Set(facts.filter(({ plays }) => plays > 0).map(identityOf));
      expect(played.size).toBe(shown.size);
      const views = [...played].map((name) => JSON.parse(name)[0]);
      expect(new Set(views)).toEqual(new Set([...shown].map((token) => `token ${token}`)));

      const timeOf = (some: readonly Fact[]) =>
        Object.fromEntries(
          some
            .filter(({ playMs }) => playMs > 0)
            .map((fact) => [identityOf(fact) + fact.playMs, 1]),
        );
      expect(timeOf(facts)).toEqual(timeOf(sent.map(factOf)));
    }),
    { numRuns: 30 },
  );
});

test('what is not signed passes without a question', async () => {
  const settle = onePlayAToken(() => Promise.reject(new Error('asked')));
  const fact = factOf({ token: 3, stretch: 0, slot: 0, os: 'iOS', plays: 1, playMs: 5, node: 0 });
  expect(await settle([fact], signed)).toEqual([fact]);
});

test('once a token has its play, nobody is asked again', async () => {
  let asked = 0;
  const settle = onePlayAToken(async (_view, _name, proposal) => {
    asked += 1;
    return proposal;
  });
  const one = { token: 0, stretch: 0, slot: 0, os: 'iOS', plays: 1, playMs: 5, node: 0 } as const;
  for (let time = 0; time < 3; time += 1) {
    expect(await settle([factOf(one), factOf({ ...one, slot: 1 })], signed)).toMatchObject([
      { plays: 1, slotStart: 0 },
      { plays: 0, playMs: 5 },
    ]);
  }
  expect(asked).toBe(1);
});

test('while the log is away nothing is decided, and the next one asks again', async () => {
  let isAway = true;
  const settle = onePlayAToken(async (_view, _name, proposal) => {
    if (isAway) throw new Error('away');
    return proposal;
  });
  const fact = factOf({ token: 0, stretch: 0, slot: 0, os: 'iOS', plays: 1, playMs: 0, node: 0 });
  await expect(settle([fact], signed)).rejects.toThrow('away');
  isAway = false;
  expect(await settle([fact], signed)).toMatchObject([{ plays: 1 }]);
});

test('of another play under the token all is left but the play', async () => {
  const settle = onePlayAToken(async (_view, _name, proposal) => proposal);
  const play = { token: 0, stretch: 0, slot: 0, os: 'iOS', plays: 1, playMs: 5, node: 0 } as const;
  const [first, timeless] = [play, { ...play, slot: 1, playMs: 0 }].map(factOf) as [Fact, Fact];
  await settle([first], signed);
  expect(await settle([first, timeless], signed)).toEqual([first, { ...timeless, plays: 0 }]);
});
