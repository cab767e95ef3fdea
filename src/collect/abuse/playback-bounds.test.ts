import { expect, test } from 'vitest';
import type { Publication } from '../../catalog/catalog.ts';
import type { Draft, Sender } from '../draft.ts';
import { createPlaybackBounds, findAllowances, takeFrom } from './playback-bounds.ts';

const unbounded = { views: 0, players: 0, rows: 0 };
const draftOf = (videoId: number): Draft => ({
  ...{ view: 'v', stretch: 0, atMs: 0, playMs: 0, plays: 1, device: {}, facts: [] },
  publication: { videoId } as Publication,
});

function asking(bounds: ReturnType<typeof createPlaybackBounds>) {
  return (sender: Sender, videoId = 3) =>
    findAllowances(bounds, draftOf(videoId), { sender, nowMs: 0 }, true);
}

test('a subject has its buckets to itself, and finds them again', () => {
  const pace = { views: 1, players: 1, rows: 0 };
  const ask = asking(
    createPlaybackBounds({ ADDRESS: pace, VIEWER: unbounded, VIDEO: pace, ACCOUNT: unbounded }),
  );
  const asked = ask({ network: 'a', site: 's' });
  expect(asked.map(({ subject }) => subject)).toEqual(['a', 's', 3]);
  const [first, second] = [ask({ network: 'a' }), ask({ network: 'b' }, 4)];
  for (const allowance of [...first, ...second]) allowance.keep();
  expect(first.map(({ subject }) => subject)).toEqual(['a', 3]);
  expect(second.map(({ subject }) => subject)).toEqual(['b', 4]);
  ask({ network: 'a' }, 4).forEach(({ buckets }, index) => {
    expect(buckets).toBe([first, second][index]?.[index]?.buckets);
  });
});

function askingOfAddresses() {
  const ADDRESS = { views: 1, players: 0, rows: 0 };
  const others = { VIEWER: unbounded, VIDEO: unbounded, ACCOUNT: unbounded };
  return asking(createPlaybackBounds({ ADDRESS, ...others }));
}

test('beyond 50,000 addresses the one not used for longest is forgotten', () => {
  const ask = askingOfAddresses();
  const askFor = (network: string) => ask({ network })[0]?.buckets;
  const use = (network: string) => {
    for (const one of ask({ network })) takeFrom(one, 'views', { tokens: 1, nowMs: 0 });
    return askFor(network);
  };
  const [kept, oldest] = [use('kept'), use('oldest')];
  for (let number = 2; number < 50_000; number += 1) use(`${number}`);
  expect(use('kept')).toBe(kept);
  use('one more');
  expect(askFor('oldest')).not.toBe(oldest);
  expect(askFor('kept')).toBe(kept);
});

test('who is asked about, and uses nothing, has nobody forgotten', () => {
  const ask = askingOfAddresses();
  const [used] = ask({ network: 'used' });
  used?.keep();
  for (let number = 0; number < 50_001; number += 1) ask({ network: `asked ${number}` });
  expect(ask({ network: 'used' })[0]).toBe(used);
});
