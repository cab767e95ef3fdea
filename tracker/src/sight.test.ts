import { expect, test } from 'vitest';
import { createSight, playedUntil } from './sight.ts';

const ranges = (...spans: [number, number][]): TimeRanges => ({
  length: spans.length,
  start: (index) => spans[index]?.[0] ?? Number.NaN,
  end: (index) => spans[index]?.[1] ?? Number.NaN,
});

test.each([
  { spans: ranges([0, 5.2]), position: 5, until: 5.2 },
  { spans: ranges([0, 2], [8, 9.5]), position: 9, until: 9.5 },
  { spans: ranges([0, 2]), position: 5, until: 5 },
  { spans: ranges([5.001, 6]), position: 5, until: 6 },
  { spans: ranges(), position: 3, until: 3 },
])('from $position the media had come to $until', ({ spans, position, until }) => {
  expect(playedUntil(spans, position)).toBe(until);
});

/** A media element that plays, as far as it is looked at. */
const element = (change: Partial<HTMLMediaElement> = {}): HTMLMediaElement =>
  ({
    currentTime: 5,
    duration: 60,
    playbackRate: 1.5,
    paused: false,
    seeking: false,
    ended: false,
    readyState: 4,
    played: ranges([0, 5.2]),
    ...change,
  }) as HTMLMediaElement;

test.each([
  { element: 'that plays', change: {}, playing: true },
  { element: 'with no more than its length', change: { readyState: 1 }, playing: true },
  { element: 'that is paused', change: { paused: true }, playing: false },
  { element: 'that seeks', change: { seeking: true }, playing: false },
  { element: 'at its end', change: { ended: true }, playing: false },
  { element: 'of which nothing has come', change: { readyState: 0 }, playing: false },
  { element: 'at rate 0', change: { playbackRate: 0 }, playing: false },
])('an element $element: playing is $playing', ({ change, playing }) => {
  const sight = createSight(element(change))('timeupdate');
  expect(sight).toMatchObject({ rate: change.playbackRate ?? 1.5, playing });
  expect(Math.abs(sight.dateMs - Date.now())).toBeLessThan(60_000);
});

test.each([
  { media: 'a film', duration: 5_400, hasEnd: true },
  { media: 'a live stream', duration: Number.POSITIVE_INFINITY, hasEnd: false },
  { media: 'a live stream in Shaka Player and dash.js', duration: 2 ** 32, hasEnd: false },
  { media: 'something of unknown length', duration: Number.NaN, hasEnd: false },
])('$media: its end is known is $hasEnd', ({ duration, hasEnd }) => {
  expect(createSight(element({ duration }))('timeupdate').hasEnd).toBe(hasEnd);
});

test.each([
  { seek: 'under way', seeking: true, eventType: 'timeupdate' },
  { seek: 'that is over before its event comes', seeking: false, eventType: 'seeking' },
])('at a seek $seek the element had come to the end of what it played', (row) => {
  const media = { ...element({ seeking: false }) } as {
    -readonly [K in keyof HTMLMediaElement]: HTMLMediaElement[K];
  };
  const look = createSight(media);
  expect(look('timeupdate').mediaSeconds).toBe(5);
  Object.assign(media, { currentTime: 40, seeking: row.seeking });
  expect(look(row.eventType)).toMatchObject({ mediaSeconds: 5.2, playing: false });
  Object.assign(media, { seeking: false, played: ranges([0, 5.2], [40, 41]) });
  expect(look('seeked')).toMatchObject({ mediaSeconds: 40, playing: true });
});

test.each([
  { seek: 'comes round', currentTime: 0, playing: true, position: 0 },
  { seek: 'is sought', currentTime: 3, playing: false, position: 5.2 },
])('a clip in a loop that $seek: playing is $playing', ({ currentTime, playing, position }) => {
  const media = element({ loop: true, duration: 6 }) as unknown as Record<string, unknown>;
  const look = createSight(media as unknown as HTMLMediaElement);
  expect(look('timeupdate')).toMatchObject({ loopSeconds: 6, playing: true });
  Object.assign(media, { currentTime, seeking: true });
  expect(look('seeking')).toMatchObject({ mediaSeconds: position, playing });
});

test.each([
  { media: 'a clip', duration: 60, loopSeconds: 60 },
  { media: 'a longer film', duration: 61, loopSeconds: 0 },
  { media: 'a live stream', duration: Number.POSITIVE_INFINITY, loopSeconds: 0 },
])('$media in a loop goes on after $loopSeconds s', ({ duration, loopSeconds }) => {
  const sight = createSight(element({ duration, loop: true }))('timeupdate');
  expect(sight.loopSeconds).toBe(loopSeconds);
});

test('a custom element without played ranges is looked at all the same', () => {
  const media = { ...element(), seeking: true, currentTime: 40 } as unknown as Record<
    string,
    unknown
  >;
  delete media.played;
  const look = createSight(media as unknown as HTMLMediaElement);
  expect(look('seeking')).toMatchObject({ mediaSeconds: 40, playing: false });
});
