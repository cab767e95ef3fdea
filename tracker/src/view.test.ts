import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Beacon } from '../../client/src/sender/beacon.ts';
import type { Stretch } from '../../client/src/sender/stretch-meter.ts';
import type { Wait } from '../../client/src/sender/wait-meter.ts';
import type { ViewOptions } from './describe-view.ts';
import { createView, type View, type ViewedFilm } from './view.ts';

beforeEach(() => {
  showPage('https://example.org/films/1');
  vi.stubGlobal('document', { referrer: '' });
  vi.stubGlobal('sessionStorage', {});
});
afterEach(() => vi.unstubAllGlobals());

function showPage(url: string): void {
  vi.stubGlobal('location', new URL(url));
}

const stretchAt = (at: number, playMs: number): Stretch => ({ at, playMs, mediaMs: playMs });

const live = Number.POSITIVE_INFINITY;

const [film, otherFilm] = ['https://cdn.example/film.mp4', 'https://cdn.example/other.mp4'];

/** As it is sent. */
function beaconIn(view: View, stretch: Stretch): Beacon<Stretch> & { stretch: number } {
  return JSON.parse(JSON.stringify(view.beaconOf(stretch)));
}

/** A media element whose loads and stretches the test makes. */
function createElement(firstView?: string) {
  const viewed: ViewedFilm[] = [];
  let view: View;
  let source = { readyState: 0, duration: Number.NaN, currentSrc: '' };
  let playedMs = 0;
  const look = (change: Partial<typeof source>) => {
    source = { ...source, ...change };
    view.look(source);
  };
  const track = (options: Partial<ViewOptions> = {}) => {
    view = createView({ videoKey: 'k', view: firstView, ...options }, viewed);
    view.look(source);
  };
  track();
  const beaconOf = (stretch: Stretch) => beaconIn(view, stretch);

  return {
    beaconOf,
    /** As when the page calls `track`, or gives it another key. */
    track,
    /** A source comes, its length is known, later perhaps better. */
    load(...lengths: number[]) {
      this.loadFrom('blob:https://example.org/1', ...lengths);
    },
    loadFrom(currentSrc: string, ...lengths: number[]) {
      look({ readyState: 0, duration: Number.NaN, currentSrc });
      for (const duration of lengths) look({ readyState: 1, duration });
    },
    grow(duration: number) {
      look({ readyState: 4, duration });
    },
    play(): ReturnType<typeof beaconOf> {
      playedMs += 1_000;
      return beaconOf(stretchAt(playedMs, 500));
    },
  };
}

/** On an element of its own. */
function createLoaded(options: Partial<ViewOptions>): View {
  const view = createView({ videoKey: 'k', ...options }, []);
  view.look({ readyState: 4, duration: 60, currentSrc: film });
  return view;
}

test('every beacon carries the token, if there is one', () => {
  const signed = createLoaded({ token: 'signed' });
  for (const at of [0, 5_000]) expect(beaconIn(signed, stretchAt(at, 10)).token).toBe('signed');
  expect(beaconIn(createLoaded({}), stretchAt(0, 10)).token).toBeUndefined();
});

test('stretches are numbered within the view, and a stretch that grows stays one beacon', () => {
  const element = createElement('v');
  element.load(60);
  const stretch = stretchAt(7, 10);
  expect(element.beaconOf(stretch)).toEqual({
    ...{ view: 'v', stretch: 0, at: 7, playMs: 10, mediaMs: 10, videoKey: 'k' },
    page: 'https://example.org/films/1',
    streamType: 'vod',
  });
  stretch.playMs = 20;
  expect(element.beaconOf(stretch)).toMatchObject({ stretch: 0, at: 7, playMs: 20 });
  expect(element.play()).toMatchObject({ view: 'v', stretch: 1, at: 1_000, playMs: 500 });
});

test('a view that is tracked again under its name goes on with its numbers, by video', () => {
  const numberOf = (videoKey: string, at: number) =>
    beaconIn(createLoaded({ videoKey, view: 'mine' }), stretchAt(at, 10)).stretch;
  expect([numberOf('k', 0), numberOf('k', 5_000), numberOf('other', 9_000)]).toEqual([0, 1, 0]);
});

test.each([
  ['has no name', {}, () => ({})],
  // The server tells apart what comes under one token.
  ['has a token alone', { token: 'signed' }, () => ({})],
  ['finds no storage', { view: 'mine' }, () => Object.freeze({})],
])('a view that %s begins at 0', (_, named, storage) => {
  vi.stubGlobal('sessionStorage', storage());
  for (const at of [0, 5_000]) {
    expect(beaconIn(createLoaded(named), stretchAt(at, 10)).stretch).toBe(0);
  }
});

test('the film after the one that the page named begins at 0, and the named one goes on', () => {
  const first = createElement('mine');
  first.load(60);
  first.play();
  first.load(90);
  expect([first.play().stretch, first.play().stretch]).toEqual([0, 1]);
  const again = createElement('mine');
  again.load(60);
  expect(again.play()).toMatchObject({ view: 'mine', stretch: 1 });
});

test('the beacon of a stretch is one object, which the queue holds', () => {
  const view = createLoaded({});
  const stretch = stretchAt(0, 1);
  const beacon = view.beaconOf(stretch);
  stretch.playMs = 2;
  expect(view.beaconOf(stretch)).toBe(beacon);
  expect(beacon?.playMs).toBe(2);
});

test.each([
  { load: 'another quality', before: [596.4], after: [597.4], views: 1 },
  { load: 'another quality, shorter', before: [597.4], after: [596.4], views: 1 },
  { load: 'another film', before: [596], after: [597.01], views: 2 },
  { load: 'another film, shorter', before: [597.01], after: [596], views: 2 },
  { load: 'a live stream again', before: [live], after: [live], views: 1 },
  { load: 'a film after a live stream', before: [live], after: [60], views: 2 },
  { load: 'a live stream after a film', before: [60], after: [live], views: 2 },
  { load: 'a length that is corrected before it plays', before: [60], after: [live, 60], views: 1 },
  { load: 'a film whose length comes late', before: [60], after: [60, 90], views: 2 },
])('$load: $views view(s)', ({ before, after, views }) => {
  const element = createElement();
  element.load(...before);
  const first = element.play();
  element.load(...after);
  const second = element.play();
  expect(new Set([first.view, second.view]).size).toBe(views);
  expect(second.stretch).toBe(views === 1 ? 1 : 0);
  expect(element.play()).toMatchObject({ view: second.view, stretch: second.stretch + 1 });
});

test.each([
  { stream: 'at the length that it has come to', again: 160 },
  { stream: 'when it has grown further', again: 175 },
  { stream: 'from the beginning of its window on', again: 98 },
  { stream: 'as one without an end', again: live },
])('a live stream that grows is one view, loaded anew $stream', ({ again }) => {
  const element = createElement();
  element.load(100);
  const { view } = element.play();
  element.grow(130);
  expect(element.play()).toMatchObject({ view, stretch: 1 });
  element.grow(160);
  element.load(again);
  expect(element.play()).toMatchObject({ view, stretch: 2 });
});

test('an advertisement in a live stream that grows is a view of its own, the stream one', () => {
  const element = createElement();
  element.load(100);
  const { view } = element.play();
  element.grow(130);
  element.load(15);
  expect(element.play().view).not.toBe(view);
  element.load(120);
  expect(element.play()).toMatchObject({ view, stretch: 1 });
});

test('a pre-roll, a film, a mid-roll and the film: two views', () => {
  const element = createElement();
  const played = [15, 600, 15, 600].map((seconds) => {
    element.load(seconds);
    return element.play();
  });
  expect(played.map(({ stretch }) => stretch)).toEqual([0, 0, 1, 1]);
  expect(new Set(played.map(({ view }) => view)).size).toBe(2);
});

test.each([
  { again: 'a renewed signature, with an advertisement in it', address: `${film}?2`, seconds: 630 },
  { again: 'another quality', address: 'https://cdn.example/low.mp4', seconds: 600.4 },
])('a film comes back with $again', ({ address, seconds }) => {
  const element = createElement();
  element.loadFrom(`${film}?signature=1`, 600);
  const { view } = element.play();
  element.loadFrom(otherFilm, 90);
  expect(element.play().view).not.toBe(view);
  element.loadFrom(address, seconds);
  expect(element.play()).toMatchObject({ view, stretch: 1 });
});

test.each([
  { said: 'its own key', options: { videoKey: 'k' }, isBack: true },
  { said: 'another viewer', options: { viewer: 'pupil-8' }, isBack: false },
  { said: 'another token', options: { token: 'a.b.c' }, isBack: false },
])('a film that comes back with $said is in its view: $isBack', ({ options, isBack }) => {
  const element = createElement();
  element.loadFrom(film, 60);
  const first = element.play();
  element.track({ videoKey: 'other' });
  element.loadFrom(otherFilm, 60);
  expect(element.play()).toMatchObject({ videoKey: 'other', stretch: 0 });
  element.loadFrom(film, 60);
  element.track(options);
  showPage('https://example.org/films/2');
  const again = element.play();
  expect(again.view === first.view).toBe(isBack);
  expect(again.stretch).toBe(isBack ? 1 : 0);
});

test('of very many films in one element, those viewed last come back', () => {
  const element = createElement();
  const viewOf = (seconds: number) => {
    element.load(seconds);
    return element.play().view;
  };
  const views = Array.from({ length: 102 }, (_, index) => viewOf(10 * (index + 1)));
  expect(viewOf(10 * 102)).toBe(views[101]);
  expect(viewOf(10)).not.toBe(views[0]);
});

test('what was loaded without being played parts no view', () => {
  const element = createElement();
  element.load(60);
  const { view } = element.play();
  element.load(15);
  element.load(60);
  expect(element.play()).toMatchObject({ view, stretch: 1 });
});

test('the page is the one on which the view began, whatever its URL is later', () => {
  const element = createElement();
  element.load(60);
  showPage('https://example.org/films/2');
  const first = element.play();
  showPage('https://example.org/films/3');
  expect([first.page, element.play().page]).toEqual(Array(2).fill('https://example.org/films/2'));
  element.load(90);
  expect(element.play().page).toBe('https://example.org/films/3');
});

test('the identity that the page gave is that of the first film played', () => {
  const element = createElement('mine');
  element.load(15);
  element.load(60);
  expect(element.play()).toMatchObject({ view: 'mine', stretch: 0 });
  element.load(90);
  expect(element.play().view).not.toBe('mine');
});

test('the rest of a stretch that a new load ends is that of the film before', () => {
  const element = createElement('v');
  element.load(60);
  const stretch = stretchAt(7, 10);
  element.beaconOf(stretch);
  element.load(90);
  stretch.playMs = 30;
  expect(element.beaconOf(stretch)).toMatchObject({ view: 'v', stretch: 0, playMs: 30 });
  expect(element.play()).toMatchObject({ stretch: 0, playMs: 500 });
});

test('waits are numbered on their own, and a view starts once, and tells no wait before', () => {
  const view = createLoaded({ view: 'mine' });
  const wait = (cause: Wait['cause']): Wait => ({ at: 0, waitMs: 5, cause, outcome: 'played' });
  expect(view.beaconOf(wait('stall'))).toBeUndefined();
  expect(view.beaconOf(wait('start'))).toMatchObject({ view: 'mine', wait: 0 });
  expect(view.beaconOf(wait('start'))).toBeUndefined();
  const stretch = beaconIn(view, stretchAt(0, 10));
  expect(stretch).toMatchObject({ view: 'mine', stretch: 0 });
  expect(stretch).not.toHaveProperty('wait');
  const numbers = Array.from({ length: 500 }, () => view.beaconOf(wait('seek'))?.wait);
  expect(numbers.slice(-2)).toEqual([499, undefined]);
});

test.each([
  { media: 'a film', lengths: [60, 60], types: ['vod', 'vod'] },
  { media: 'a live stream', lengths: [live, live], types: ['live', 'live'] },
  { media: 'a live stream that grows', lengths: [20, 26], types: ['vod', 'live'] },
])('$media is told as $types', ({ lengths, types }) => {
  const element = createElement();
  const told = lengths.map((seconds, index) => {
    if (index === 0) element.load(seconds);
    else element.grow(seconds);
    return element.play().streamType;
  });
  expect(told).toEqual(types);
});

test('the host is that of the address, or what an adapter tells', () => {
  const view = createView({ videoKey: 'k' }, []);
  const hosts = [
    { currentSrc: `https://cdn.example:8443/film.mp4?x=a/b` },
    { currentSrc: 'blob:https://page.example/1' },
    { currentSrc: 'blob:https://page.example/1', playmeter: { mediaHost: 'edge.example' } },
  ].map((source, at) => {
    view.look({ readyState: 4, duration: 60, ...source });
    return beaconIn(view, stretchAt(at, 10)).mediaHost;
  });
  expect(hosts).toEqual(['cdn.example', undefined, 'edge.example']);
});
