import { describe, expect, test } from 'vitest';
import { Fault } from '../../vocabulary/faults.ts';
import { findAgreed } from './topology.ts';

type Place = readonly [shard: number, replica: number];

/** What a server says that is at this place, or at none. */
function viewOf(places: readonly Place[], own: Place | undefined, hasKeeper = false) {
  const memberOf = ([shard, replica]: Place) => ({
    ...{ shard, replica },
    address: `ch-${shard}-${replica}:9000`,
  });
  return {
    members: places.map(memberOf),
    own: own && memberOf(own),
    hasKeeper,
  };
}
const named = (...views: ReturnType<typeof viewOf>[]) =>
  views.map((view, index) => ({ name: `host-${index + 1}`, view }));

const two: readonly Place[] = [
  [1, 1],
  [2, 1],
];
const replicated: readonly Place[] = [
  [1, 1],
  [1, 2],
  [2, 1],
  [2, 2],
];

test('shards without a Keeper, every one of them named', () => {
  const views = named(viewOf(two, [2, 1]), viewOf(two, [1, 1]));
  expect(findAgreed('plays', views)).toEqual({ shards: 2, replicas: 1, hasKeeper: false });
});

test('with a Keeper one server of each shard is enough, also beside one that is none', () => {
  const expected = { shards: 2, replicas: 2, hasKeeper: true };
  const [one, other] = [viewOf(replicated, [1, 1], true), viewOf(replicated, [2, 2], true)];
  expect(findAgreed('plays', named(one, other))).toEqual(expected);
  const all = replicated.map((place) => viewOf(replicated, place, true));
  expect(findAgreed('plays', named(viewOf(replicated, undefined, true), ...all))).toEqual(expected);
});

describe('what must be configured otherwise', () => {
  test.each([
    [
      'no cluster',
      named(viewOf([], undefined)),
      'host-1 knows no cluster plays: see its remote_servers',
    ],
    [
      'two clusters',
      named(viewOf(two, [1, 1]), viewOf([...two, [3, 1]], [2, 1])),
      'host-1 and host-2 are configured with different clusters plays',
    ],
    [
      'two clusters of one size',
      named(viewOf(two, [1, 1]), viewOf(replicated.slice(0, 2), [1, 2])),
      'host-1 and host-2 are configured with different clusters plays',
    ],
    ['no host', [], 'no host is configured'],
    [
      'a Keeper for one alone',
      named(viewOf(two, [1, 1], true), viewOf(two, [2, 1])),
      'host-1 and host-2 are configured with different clusters plays',
    ],
    [
      'a shard that is not named',
      named(viewOf(two, [1, 1])),
      'CLICKHOUSE_URL must name every server: shard 2 (ch-2-1:9000) is missing',
    ],
    [
      'a shard of which no replica is named',
      named(viewOf(replicated, [1, 1], true), viewOf(replicated, [1, 2], true)),
      'CLICKHOUSE_URL must name a server of every shard: shard 2 (ch-2-1:9000) is missing',
    ],
    [
      'a shard named twice',
      named(viewOf(two, [1, 1]), viewOf(two, [1, 1])),
      'host-1 and host-2 are both shard 1',
    ],
    [
      'replicas without a Keeper',
      named(viewOf(replicated, [1, 1])),
      'plays has replicas, but no Keeper',
    ],
    [
      'shards of different sizes',
      named(
        viewOf(
          [
            [1, 1],
            [1, 2],
            [2, 1],
          ],
          [1, 1],
          true,
        ),
      ),
      'the shards of plays have different numbers of replicas',
    ],
  ])('%s', (_, views, reason) => {
    const refusal = new Fault('INTERNAL', `The statistics cluster cannot be used: ${reason}`);
    expect(() => findAgreed('plays', views)).toThrow(refusal);
  });
});
