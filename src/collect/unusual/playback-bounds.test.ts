import { expect, test } from 'vitest';
import type { Publication } from '../../catalog/catalog.ts';
import type { Draft, Sender } from '../draft.ts';
import { allowancesOf, createPlaybackBounds } from './playback-bounds.ts';

const unbounded = { views: 0, players: 0 };
const draftOf = (videoId: number): Draft => ({
  ...{ view: 'v', stretch: 0, atMs: 0, playMs: 0, plays: 1, device: {}, facts: [] },
  publication: { videoId } as Publication,
});

function asking(bounds: ReturnType<typeof createPlaybackBounds>) {
  return (sender: Sender, videoId = 3) =>
    allowancesOf(bounds, draftOf(videoId), { sender, nowMs: 0 });
}

test('a subject has its buckets to itself, and finds them again', () => {
  const pace = { views: 1, players: 1 };
  const ask = asking(createPlaybackBounds({ ADDRESS: pace, VIEWER: unbounded, VIDEO: pace }));
  const asked = ask({ network: 'a', site: 's' });
  expect(asked.map(({ subject }) => subject)).toEqual(['a', 's', 3]);
  const [first, second] = [ask({ network: 'a' }), ask({ network: 'b' }, 4)];
  expect(first.map(({ subject }) => subject)).toEqual(['a', 3]);
  expect(second.map(({ subject }) => subject)).toEqual(['b', 4]);
  ask({ network: 'a' }, 4).forEach(({ buckets }, index) => {
    expect(buckets).toBe([first, second][index]?.[index]?.buckets);
  });
});

test('beyond 50,000 addresses the one not asked about for longest is forgotten', () => {
  const pace = { views: 1, players: 0 };
  const ask = asking(createPlaybackBounds({ ADDRESS: pace, VIEWER: unbounded, VIDEO: unbounded }));
  const bucketsOf = (network: string) => ask({ network })[0]?.buckets;
  const [kept, forgotten] = [bucketsOf('kept'), bucketsOf('forgotten')];
  expect(bucketsOf('kept')).toBe(kept);
  for (let number = 2; number < 50_000; number += 1) bucketsOf(`${number}`);
  expect(bucketsOf('kept')).toBe(kept);
  bucketsOf('one more');
  expect(bucketsOf('kept')).toBe(kept);
  expect(bucketsOf('forgotten')).not.toBe(forgotten);
});
