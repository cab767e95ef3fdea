/** Any mix of retries, views, devices, instants and nodes makes one play a token. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scheduledEventLog } from '../../../test/support/scheduled-event-log.ts';
import { type Fact, slotMs } from '../../store/facts.ts';
import { createAgreement } from '../steps/instant-agreement.ts';
import { onePlayAToken, type SettlePlays } from './token-play.ts';

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
