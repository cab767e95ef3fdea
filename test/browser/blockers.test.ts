/** Every address that a page gets from the guides, against rules of each kind that blockers have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FiltersEngine, Request } from '@ghostery/adblocker';
import { expect, test } from 'vitest';
import { shelvesIn } from '../../src/http/pages/guide-list.ts';
import { sayIn } from '../../src/http/pages/messages/messages.ts';

const root = join(import.meta.dirname, '../..');
const page = 'https://www.example.com/film.html';

/** Rules as the lists have them, each with an address that it is meant for. */
const rules = [
  ['a host and a path', '://stats.*/tracker.js', 'https://stats.example.com/tracker.js'],
  ['a host', '||analytics.*^$third-party', 'https://analytics.example.org/play.js'],
  ['the beginning of a host', '://track.*/collect', 'https://track.example.com/collect/v1/beacons'],
  ['one host', '||metrics.example.com^', 'https://metrics.example.com/play.js'],
  ['a script', '/tracker.js$script', 'https://media.example.com/tracker.js'],
  ['a module', '/tracker.mjs', 'https://media.example.com/tracker.mjs'],
  ['a folder', '/stats/*$xhr', 'https://www.example.com/stats/collect/v1/beacons'],
  ['part of a name', '-analytics.$script', 'https://www.example.com/video-analytics.js'],
  [
    'words',
    '/^https?:\\/\\/[^/]+\\/(?:tracking|telemetry)\\//',
    'https://www.example.com/telemetry/x',
  ],
] as const;
/** This one names what reports are posted to, unless the site has a name of its own for it. */
const ofReports = '/collect/v1/$xhr';

function isBlocked(list: readonly string[], url: string): boolean {
  const engine = FiltersEngine.parse(list.join('\n'));
  return (['script', 'xmlhttprequest'] as const).some(
    (type) => engine.match(Request.fromRawDetails({ type, url, sourceUrl: page })).match,
  );
}

test.each(rules)('%s: %s blocks %s', (_, rule, url) => {
  expect(isBlocked([rule], url)).toBe(true);
});

/** The addresses in the code of a guide that goes into pages. */
function addressesIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const code = [...text.matchAll(/^```(?:html|jsx?)\n(.*?)^```$/gms)].map(([, block]) => block);
  const quoted = code.join('').matchAll(/["'`]((?:https?:\/)?\/[\w.:/-]+)["'`]/g);
  return [...new Set([...quoted].map(([, address = '']) => new URL(address, page).href))];
}

const guides = shelvesIn(sayIn('en')).flatMap((shelf) => shelf.guides.map(({ file }) => file));
const documented = guides.filter((file) => file.endsWith('.md')).flatMap(addressesIn);

test('no rule blocks what the guides and the dashboard print', () => {
  const embedded = readFileSync(join(root, 'dashboard/src/frame/embed-code.tsx'), 'utf8');
  const script = /\$\{location\.origin\}(\/[\w.]+)/.exec(embedded)?.[1];
  const reports = 'https://media.example.com/collect/v1/beacons';
  const all = [...documented, `https://media.example.com${script}`, reports];
  expect(all.length).toBeGreaterThan(8);
  const list = rules.map(([, rule]) => rule);
  expect(all.filter((url) => isBlocked(list, url))).toEqual([]);
});

test('names of the own site pass where the paths of the service do not', () => {
  expect(isBlocked([ofReports], 'https://media.example.com/collect/v1/beacons')).toBe(true);
  const own = addressesIn('docs/blockers.md');
  expect(own.map((url) => new URL(url).pathname)).toEqual([
    '/media/play.js',
    '/media/progress.json',
  ]);
  expect(own.filter((url) => isBlocked([ofReports], url))).toEqual([]);
});
