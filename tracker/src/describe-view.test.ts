import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Beacon } from '../../src/wire/beacons/beacon.ts';
import { anyCharacter } from '../../test/support/any-character.ts';
import { describeView, type ViewOptions } from './describe-view.ts';

beforeEach(() => showPage('https://example.org/'));
afterEach(() => vi.unstubAllGlobals());

function showPage(url: string, referrer = ''): void {
  vi.stubGlobal('location', new URL(url));
  vi.stubGlobal('document', { referrer });
}

/** As it is sent. */
function sent(options: Omit<ViewOptions, 'videoKey'>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(describeView({ videoKey: 'k', ...options }, 'v')));
}

test('what nobody says is not sent', () => {
  const page = 'https://example.org/';
  expect(sent({})).toEqual({ view: 'v', videoKey: 'k', page });
  expect(sent({ viewer: '', player: '', labels: {}, token: undefined })).toEqual(sent({}));
  expect(sent({ labels: '' })).toEqual(sent({}));
  expect(sent({ labels: 'course=' })).toEqual(sent({}));
});

test('what the page says is sent', () => {
  const described = { viewer: 'pupil-7', player: 'hls.js/1.7.4', labels: { course: 'Algebra I' } };
  expect(sent({ ...described, token: 'a.b.c' })).toMatchObject({ ...described, token: 'a.b.c' });
});

test('labels may be a query string', () => {
  const labels = { course: 'C++ & more', 'plan type': 'Größe' };
  const text = `course=${encodeURIComponent('C++ & more')}&plan+type=Größe`;
  expect(sent({ labels: text }).labels).toEqual(labels);
  expect(sent({ labels }).labels).toEqual(labels);
});

test('a label that is too long is sent as long as the server needs to see that', () => {
  const sentFor = (course: string) => sent({ labels: { course } }).labels as object | undefined;
  expect(sentFor('a'.repeat(64))).toEqual({ course: 'a'.repeat(64) });
  for (const text of ['a'.repeat(65), 'a'.repeat(10_000), '🎬'.repeat(65)]) {
    const { course } = sentFor(text) as { course: string };
    expect([...course].length).toBeGreaterThan(64);
    expect(course.length).toBeLessThanOrEqual(129);
  }
});

test('no more than five labels are sent', () => {
  const labels = Object.fromEntries([...'abcdefg'].map((name) => [name, name]));
  expect(Object.keys(sent({ labels }).labels as object)).toEqual([...'abcde']);
});

test.each([
  { viewer: 'x'.repeat(64), kept: 'x'.repeat(64) },
  { viewer: 'x'.repeat(65), kept: undefined },
  { viewer: 4711 as unknown as string, kept: '4711' },
])('of the viewer $viewer, $kept is sent', ({ viewer, kept }) => {
  expect(sent({ viewer }).viewer).toBe(kept);
});

test('with Global Privacy Control no viewer is named', () => {
  vi.stubGlobal('navigator', { globalPrivacyControl: true });
  const { viewer, player } = sent({ viewer: 'pupil-7', player: 'p/1' });
  expect([viewer, player]).toEqual([undefined, 'p/1']);
  vi.stubGlobal('navigator', { globalPrivacyControl: false });
  expect(sent({ viewer: 'pupil-7' }).viewer).toBe('pupil-7');
});

test.each([
  {
    url: 'https://user:pass@example.org:8443/a/b?token=1#part',
    page: 'https://example.org:8443/a/b',
  },
  { url: 'file:///home/name/film.html', page: undefined },
  { url: 'about:srcdoc', page: undefined },
])('on $url the page is $page', ({ url, page }) => {
  showPage(url);
  expect(sent({}).page).toBe(page);
});

test.each([
  { referrer: 'https://www.google.com/search?q=secret', site: 'https://www.google.com' },
  { referrer: 'https://example.org', site: 'https://example.org' },
  { referrer: 'android-app://com.example.mail/', site: 'android-app://com.example.mail' },
  { referrer: '', site: undefined },
])('from $referrer the referrer is $site', ({ referrer, site }) => {
  showPage('https://example.org/', referrer);
  expect(sent({}).referrer).toBe(site);
});

test('whatever a page says, the server takes the beacon', () => {
  const form = Compile(Beacon);
  const text = fc.string({ unit: anyCharacter, maxLength: 80 });
  const described = fc.record({ viewer: text, player: text, labels: fc.dictionary(text, text) });
  const stretch = { at: '2026-11-20T10:15:30.123Z', playMs: 1, mediaMs: 1, position: 0 };
  fc.assert(
    fc.property(described, (options) => {
      const beacon = { ...sent(options), ...stretch };
      expect([...form.Errors(beacon)]).toEqual([]);
    }),
  );
});
