/** The statement itself is run by test/faults/cluster.test.ts; here its answers come by hand. */
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import type { Logger } from '../../lib/logger.ts';
import { followSkew } from './cluster-store.ts';

const minuteMs = 60_000;
const metric = 'playmeter_cluster_clock_skew_seconds';

/** A cluster whose clocks are this far apart, and which takes this long to be asked. */
interface Given {
  spreadMs: number;
  tookMs: number;
  isAway: boolean;
}

function following(first: Partial<Given>) {
  const given: Given = { spreadMs: 0, tookMs: 0, isAway: false, ...first };
  const clock = manualClock();
  const metrics = new Registry();
  const statements: string[] = [];
  const errors: unknown[] = [];
  const ignore = () => {};
  const logger: Logger = {
    ...{ debug: ignore, info: ignore, warn: ignore },
    error: (...words: unknown[]) => void errors.push(words),
  };
  const select = async <Row>({ sql }: { readonly sql: string }) => {
    statements.push(sql);
    clock.advance(given.tookMs);
    if (given.isAway) throw new Error('connection refused');
    return [{ spreadMs: given.spreadMs }] as Row[];
  };
  const skew = followSkew({ cluster: 'plays', store: { select }, metrics, clock, logger });
  return {
    ...{ skew, given, clock, statements, errors },
    /** Lets the time pass, and what was asked be answered. */
    async pass(ms: number) {
      clock.advance(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
    seconds: async () => Number(/ (\S+)$/.exec(await metrics.getSingleMetricAsString(metric))?.[1]),
  };
}

test('the clocks of all replicas are measured at once, and then every minute until it stops', async () => {
  const { skew, given, clock, statements, pass, seconds } = following({ spreadMs: 250 });
  expect(await seconds()).toBeNaN();
  await skew.measure();
  expect(statements).toEqual([expect.stringContaining("clusterAllReplicas('plays', system.one)")]);
  expect(await seconds()).toBe(0.25);
  given.spreadMs = 1_500;
  await pass(minuteMs - 1);
  expect(statements).toHaveLength(1);
  await pass(1);
  expect(statements).toHaveLength(2);
  expect(await seconds()).toBe(1.5);
  await pass(minuteMs);
  expect(statements).toHaveLength(3);
  skew.stop();
  expect(clock.waiting()).toBe(0);
});

test('measured again by hand, it still measures once a minute', async () => {
  const { skew, clock, statements, pass } = following({});
  await skew.measure();
  await skew.measure();
  expect(clock.waiting()).toBe(1);
  await pass(minuteMs);
  expect(statements).toHaveLength(3);
});

test.each<[Partial<Given>, number]>([
  [{ spreadMs: 900, tookMs: 400 }, 0.5],
  [{ spreadMs: 400, tookMs: 400 }, 0],
  [{ spreadMs: 300, tookMs: 400 }, 0],
])('of %j the time of asking is no difference: %s s', async (first, wanted) => {
  const { skew, seconds } = following(first);
  await skew.measure();
  expect(await seconds()).toBe(wanted);
});

test('a difference is complained of beyond ten seconds, each time that it is measured', async () => {
  const { skew, given, errors, pass } = following({ spreadMs: 10_500, tookMs: 500 });
  await skew.measure();
  expect(errors).toEqual([]);
  given.spreadMs = 10_501;
  await pass(minuteMs);
  const complaint = [
    { skewMs: 10_001, coveredSkewMs: 10_000 },
    "the clocks of the statistics cluster's servers differ by more than is covered: " +
      'new playback may be missing from the statistics until they are set',
  ];
  expect(errors).toEqual([complaint]);
  await pass(minuteMs);
  expect(errors).toEqual([complaint, complaint]);
});

test('a cluster that is away keeps what was measured, and is measured again in a minute', async () => {
  const { skew, given, errors, statements, pass, seconds } = following({ spreadMs: 2_000 });
  await skew.measure();
  given.isAway = true;
  await pass(minuteMs);
  expect(await seconds()).toBe(2);
  given.isAway = false;
  given.spreadMs = 3_000;
  await pass(minuteMs);
  expect({ statements: statements.length, seconds: await seconds(), errors }).toEqual({
    ...{ statements: 3, seconds: 3, errors: [] },
  });
});
