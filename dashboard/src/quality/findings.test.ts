/** Who is worse off than all others, and what that costs everybody. */
import { expect, test } from 'vitest';
import {
  findGroups,
  isShadow,
  type KeyedSample,
  leastRanked,
  type Sample,
  watchedMsOf,
} from './findings.ts';

type Name = 'os' | 'country' | 'mediaHost';

/** Of which a second passes before each start, and one in a hundred fails. */
function sampleOf(attempts: number, other: Partial<Sample> = {}): Sample {
  return {
    ...{ attempts, starts: attempts, startupMs: 1_000 * attempts, exits: attempts / 50 },
    ...{ failures: attempts / 100, stalls: attempts / 10, stallMs: 100 * attempts },
    ...{ watchedMs: 100_000 * attempts, ...other },
  };
}

const keysOf = (os: string, country: string, mediaHost: string) => ({ os, country, mediaHost });
const every = ['Android', 'iOS'].flatMap((os) =>
  ['BR', 'KR'].flatMap((country) => ['cdn1', 'cdn2'].map((host) => keysOf(os, country, host))),
);

/** All combinations, of which one is as bad as that. */
function samplesWith(bad: Partial<Sample>, attempts = 200): KeyedSample<Name>[] {
  const isBad = ({ os, country, mediaHost }: Record<Name, string>) =>
    os === 'Android' && country === 'BR' && mediaHost === 'cdn2';
  return every.map((keys) => ({ keys, ...sampleOf(attempts, isBad(keys) ? bad : {}) }));
}

const named = (found: ReturnType<typeof findGroups<Name>>) =>
  found.map(({ pairs }) => pairs.map(([, value]) => value).join(' '));

test('the narrowest group in which the cost lies is named, with how much less there would be', () => {
  const found = findGroups(samplesWith({ startupMs: 5_000 * 200 }), 5);
  expect(named(found)).toEqual(['Android BR cdn2']);
  const [one] = found;
  expect(one).toMatchObject({ attempts: 200, allAttempts: 1_600 });
  // Four seconds more of each, of the seven groups' one second and its own five.
  expect(one?.troubles).toEqual([
    { name: 'startup', value: 5_000, rest: 1_000, cost: 800 / 2_400 },
  ]);
});

test('what is wrong with a whole host is said of the host alone', () => {
  const samples = every.map((keys) => ({
    keys,
    ...sampleOf(200, keys.mediaHost === 'cdn2' ? { failures: 40 } : {}),
  }));
  expect(named(findGroups(samples, 5))).toEqual(['cdn2']);
});

test('the costliest comes first: how much worse it is, times how many there are', () => {
  const samples = every.map((keys) => {
    const isMany = keys.country === 'KR' && keys.os === 'iOS' && keys.mediaHost === 'cdn1';
    const isFew = keys.country === 'BR' && keys.os === 'Android' && keys.mediaHost === 'cdn2';
    if (isMany) return { keys, ...sampleOf(2_000, { startupMs: 2_000 * 2_000 }) };
    return { keys, ...sampleOf(200, isFew ? { startupMs: 6_000 * 200 } : {}) };
  });
  const found = findGroups(samples, 5);
  expect(named(found)).toEqual(['iOS KR cdn1', 'Android BR cdn2']);
  expect(found[0]?.cost).toBeGreaterThan(found[1]?.cost ?? 0);
});

test.each([
  [
    'of fewer attempts than are ranked',
    samplesWith({ startupMs: 90_000 }, leastRanked - 1).slice(4),
  ],
  ['that may be chance', samplesWith({ failures: 6 })],
  ['that is hardly worse', samplesWith({ startupMs: 1_100 * 200 })],
  [
    'of which nothing is known',
    samplesWith({ failures: 90 }).map((one) => ({
      ...one,
      keys: keysOf('Unknown', 'Unknown', 'Other'),
    })),
  ],
  ['without anything', []],
])('no group is named %s', (_, samples) => {
  expect(findGroups(samples, 5)).toEqual([]);
});

test('what stands still is judged by the time that is played', () => {
  const isLong = { watchedMs: 10 * 100_000 * 200, stalls: 200, stallMs: 10 * 100 * 200 };
  expect(findGroups(samplesWith(isLong), 5)).toEqual([]);
  const found = findGroups(samplesWith({ stalls: 200, stallMs: 10 * 100 * 200 }), 5);
  expect(found[0]?.troubles).toMatchObject([{ name: 'stalls', value: 0.01, rest: 0.001 }]);
});

test.each([
  ['a share of stalls', { stallMs: 5_000, stalledTimeShare: 0.05 }, 100_000],
  ['no stalls', { stallMs: 0, stalledTimeShare: 0 }, 400_000],
  ['no view that reports its waits', { attempts: 0, stallMs: 0, stalledTimeShare: null }, 0],
])('the time watched is known of a group with %s', (_, row, watchedMs) => {
  expect(watchedMsOf({ attempts: 10, playMs: 400_000, ...row })).toBe(watchedMs);
});

test('a day that stands out is a group, too', () => {
  const days = Array.from({ length: 28 }, (_, day) => ({
    keys: { date: `2026-11-${day + 1}` },
    ...sampleOf(400, day === 20 ? { startupMs: 1_400 * 400 } : {}),
  }));
  expect(findGroups(days, 1, 0)[0]?.pairs).toEqual([['date', '2026-11-21']]);
});

test('a larger group with the same trouble in a weaker form is a shadow of the smaller', () => {
  const trouble = { name: 'startup', rest: 1_000, cost: 0.3 } as const;
  const small = { attempts: 50, troubles: [{ ...trouble, value: 5_000 }] };
  const large = { attempts: 250, troubles: [{ ...trouble, value: 1_500 }] };
  expect([isShadow(large, small), isShadow(small, large)]).toEqual([true, false]);
  const other = {
    attempts: 250,
    troubles: [{ ...trouble, name: 'failures', value: 0.2 } as const],
  };
  expect(isShadow(other, small)).toBe(false);
});
