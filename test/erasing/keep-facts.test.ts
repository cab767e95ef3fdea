/** The service erases by itself what is older than an account keeps it, under a receipt. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import { createEraser } from '../../src/maintenance/erase/eraser.ts';
import {
  eraseOldFacts,
  firstDayKept,
  keepFactsForMonths,
} from '../../src/maintenance/erase/fact-retention-job.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { manualClock } from '../support/manual-clock.ts';
import { startTestService, type TestService } from '../support/service.ts';

const dayMs = 86_400_000;
const firstMs = 10 * 60_000;
const hourMs = 3_600_000;

/** An account that keeps one month, with a play long before that and one of today. */
async function addOldPlay(service: TestService) {
  const account = await service.addAccount();
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const beacon = (view: string, at: number) => ({ view, stretch: 0, playMs: 1_000, videoKey, at });
  const nowMs = Date.now();
  const beacons = [beacon('old', nowMs - 90 * dayMs), beacon('new', nowMs)].map((one) => ({
    ...one,
    at: new Date(one.at).toISOString(),
  }));
  // With its key, an account may send what happened long ago.
  const sent = await service.send(beacons, { 'x-api-key': account.key });
  expect(await sent.json()).toEqual({ accepted: 2, rejected: [] });
  await service.facts.rollUp();
  const change = { factsMonths: 1 };
  const kept = accepted(await service.catalog.accounts.change(account.accountId, change));
  const receipts = () => service.catalog.erasures.list(account.accountId);
  return { kept, receipts, expected: { facts: 1, untilMs: Date.parse(firstDayKept(nowMs, 1)) } };
}

test('ten minutes after its start', async () => {
  // What is due sooner runs by the system's time.
  const later = manualClock(Date.now());
  const after: typeof systemClock.after = (delayMs, work) =>
    (delayMs < firstMs ? systemClock : later).after(delayMs, work);
  const service = await startTestService({ clock: { after }, pace: { lookBackMs: 700 } });
  onTestFinished(() => service.stop());
  const { receipts, expected } = await addOldPlay(service);
  later.advance(firstMs - 1);
  expect(await receipts()).toEqual([]);
  later.advance(1);
  // The service carries it out at once.
  await expect.poll(receipts).toMatchObject([{ ...expected, state: 'done' }]);
});

describe('beside a service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  test('every hour, after a failure too', async () => {
    const { receipts } = await addOldPlay(service);
    const clock = manualClock(Date.now());
    let isAway = true;
    const secret = async () => {
      if (isAway) throw new Error('the folder of the secret is away');
      return 'a secret';
    };
    const warnings: string[] = [];
    const stream = new Writable({
      write(line, _encoding, done) {
        warnings.push(JSON.parse(line).msg);
        done();
      },
    });
    const { catalog, facts } = service;
    const eraser = createEraser({ facts: facts.erasing, secret, clock });
    const stop = keepFactsForMonths({ eraser, catalog, clock, logger: pino({}, stream) });
    onTestFinished(stop);
    const nextLook = () => expect.poll(() => clock.waiting()).toBe(1);

    clock.advance(firstMs);
    expect(clock.waiting()).toBe(0);
    await nextLook();
    expect(warnings).toEqual(['old facts are not erased yet']);
    expect(await receipts()).toEqual([]);

    isAway = false;
    clock.advance(hourMs - 1);
    expect(clock.waiting()).toBe(1);
    clock.advance(1);
    // A month may have begun meanwhile.
    const untilMs = Date.parse(firstDayKept(clock.now(), 1));
    await nextLook();
    expect(await receipts()).toMatchObject([{ facts: 1, untilMs }]);

    // What is erased already makes no other receipt.
    clock.advance(hourMs);
    await nextLook();
    expect(await receipts()).toHaveLength(1);
    expect(warnings).toHaveLength(1);
    stop();
    expect(clock.waiting()).toBe(0);
  });

  test.each([
    ['that stands', 0],
    ['that is set back by a day', -dayMs],
  ])('a clock %s: all that was under way is waited for, once', async (_, byMs) => {
    const { kept } = await addOldPlay(service);
    const { catalog, facts } = service;
    const clock = manualClock(Date.now());
    const eraser = createEraser({ facts: facts.erasing, secret: async () => 'a secret', clock });
    expect(await eraseOldFacts({ eraser, catalog, clock }, kept)).toBe(true);
    const [{ receipt, at } = expect.fail('it was recorded')] = await catalog.erasures.list(
      kept.accountId,
    );
    clock.set(at.getTime() + byMs);
    const done = eraser.carryOut(catalog, receipt);
    await expect.poll(() => clock.waiting()).toBe(1);
    clock.advance(facts.erasing.settlesWithinMs - 1);
    expect(clock.waiting()).toBe(1);
    clock.advance(1);
    expect(clock.waiting()).toBe(0);
    expect(await done).toMatchObject({ state: 'done' });
  });
});
