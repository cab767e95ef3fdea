/** What a machine can check of the house: layers, cycles, crowding, and who reaches outside. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const mostLooseFiles = 3;
const mostRooms = 18;
const mostSideBySide = 20;

const base = ['lib', 'vocabulary', 'wire'];
/** Which folder of src may import which others. `app` composes and may import all. */
const layers: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  vocabulary: ['lib'],
  wire: ['lib', 'vocabulary'],
  engine: ['lib', 'vocabulary'],
  store: ['lib', 'vocabulary'],
  catalog: base,
  operations: [...base, 'store', 'catalog', 'collect', 'query'],
  collect: [...base, 'store', 'catalog'],
  query: [...base, 'store', 'catalog'],
  import: [...base, 'catalog', 'operations'],
  alerts: [...base, 'store', 'catalog', 'operations', 'query'],
  maintenance: [...base, 'store', 'catalog', 'operations', 'collect', 'query'],
  http: [
    ...[...base, 'store', 'catalog', 'operations', 'collect', 'query', 'alerts'],
    'maintenance',
  ],
  cli: [
    ...[...base, 'catalog', 'operations', 'collect', 'query', 'import', 'alerts'],
    'maintenance',
  ],
  config: ['lib', 'vocabulary', 'maintenance'],
};
/** From outside, these folders are seen through their interface only. */
const interfaces: Readonly<Record<string, string>> = {
  store: 'src/store/facts.ts',
  catalog: 'src/catalog/catalog.ts',
};
/** Files that may take time from the system; all others take it from the injected clock. */
const timeFromTheSystem = [
  'src/lib/time/clock.ts',
  // The supervision of processes: it must end even if the clock of the service stands still.
  'src/engine/engine.ts',
  'src/engine/answer-watch.ts',
  'src/app/serve.ts',
  // Time limits of requests to the store.
  'src/engine/running-engine.ts',
  'src/store/client/store-client.ts',
  // Those of requests to the service itself.
  'src/maintenance/doctor/network.ts',
  // A line of the log that is tried again must not keep a process alive.
  'src/app/log/log-stream.ts',
  // What ends a process that was interrupted, though a store hangs.
  'src/cli/runner/interruption.ts',
];
/** Files that may open connections, to what the configuration names alone, or run programs. */
const reachOut = [
  'src/catalog/database/postgres-dialect.ts',
  'src/engine/engine.ts',
  'src/engine/engine-program.ts',
  'src/engine/running-engine.ts',
  'src/engine/answer-watch.ts',
  'src/store/client/store-client.ts',
  'src/store/client/written-rows.ts',
  // This program: its verbs, by schedules of the configuration.
  'src/app/parts/run-verb.ts',
  'src/import/thumbnail-capture.ts',
  // To what accounts name; src/alerts/delivery/allowed-address.ts bounds it.
  'src/alerts/delivery/allowed-address.ts',
  'src/alerts/delivery/webhook.ts',
  // To the mail server of the configuration.
  'src/alerts/delivery/mail-sender.ts',
  // Asks the system whether it keeps the clock synchronized.
  'src/maintenance/doctor/clocks.ts',
  // Asks whether the service answers, as it is configured.
  'src/maintenance/doctor/network.ts',
  // To what the command line or the configuration names.
  'src/maintenance/storage/s3-client.ts',
  // In the browser, to its own server.
  'src/http/pages/guides/search.js',
];
/** The one file of the dashboard that sends requests: those of the client. */
const asksForDashboard = 'dashboard/src/server.ts';
/** Names that say nothing of what a file holds. */
const emptyNames = /^(utils?|helpers?|manager|common|misc|types|index)\.tsx?$/;
/** The one entry that a package's consumers name. */
const entryFiles = ['tracker/src/index.ts', 'client/src/index.ts', 'client/src/sender/index.ts'];

interface SourceFile {
  readonly path: string;
  readonly lines: readonly string[];
  readonly imports: readonly string[];
}

const files = sourceFiles();
const isTest = (path: string) => path.startsWith('test/') || path.endsWith('.test.ts');
const product = files.filter(({ path }) => path.startsWith('src/') && !isTest(path));

test('src is few rooms, and no folder is crowded', () => {
  const byFolder = Map.groupBy(product, ({ path }) => dirname(path));
  expect(byFolder.get('src')?.length).toBeLessThanOrEqual(mostLooseFiles);
  const rooms = new Set(product.map(({ path }) => roomUnder('src', path)));
  expect([...rooms].filter(Boolean).length).toBeLessThanOrEqual(mostRooms);
  const crowded = [...byFolder].filter(([, inside]) => inside.length > mostSideBySide);
  expect(crowded.map(([folder]) => folder)).toEqual([]);
});

test('files are named after what they hold', () => {
  const bad = files
    .map(({ path }) => path)
    .filter((path) => !entryFiles.includes(path) && emptyNames.test(basename(path)));
  expect(bad).toEqual([]);
});

test('parts import only what lies below them', () => {
  const wrong = product.flatMap(({ path, imports }) =>
    imports.flatMap((target) => (isAllowed(path, target) ? [] : [`${path} -> ${target}`])),
  );
  expect(wrong).toEqual([]);
});

test('no file imports itself by way of others', () => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) {
      cycles.push([...way.slice(way.indexOf(path)), path].join(' -> '));
      return;
    }
    if (done.has(path)) return;
    for (const target of byPath.get(path)?.imports ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  expect(cycles).toEqual([]);
});

test('no rooms side by side import each other in a circle', () => {
  expect(foldersOf(product).flatMap(circlesIn)).toEqual([]);
});

test('only the configuration reads the environment', () => {
  const readers = product.filter(({ lines }) => lines.some((line) => /process\.env\b/.test(line)));
  // The engine keeps most of it from its process.
  expect(readers.map(({ path }) => path)).toEqual(['src/engine/engine.ts', 'src/main.ts']);
});

test('only listed files take time from the system', () => {
  // How long a socket may be silent, Node measures itself.
  const timers =
    /\b(Date\.now|performance\.now|hrtime|(?<!socket\.)set(Timeout|Interval)|AbortSignal\.timeout)\b|timers\/promises|\bnew Date\(\)/;
  const takers = product.filter(({ lines }) => lines.some((line) => timers.test(line)));
  expect(takers.map(({ path }) => path).sort()).toEqual([...timeFromTheSystem].sort());
});

test('only listed files open connections or run programs', () => {
  const ways =
    /\bfetch\(|\bcreate(Client|Transport)\(|\bnew (pg\.|OTLP)|from 'node:(https|http2|tls|dgram|dns|child_process)'|^import \{[^}]*\b(Socket|connect|createConnection|get|request)\b.* from 'node:(net|http)'/;
  const reaching = product.filter(({ lines }) => lines.some((line) => ways.test(line)));
  expect(reaching.map(({ path }) => path).sort()).toEqual([...reachOut].sort());
});

test('the dashboard asks the service through its client, and nothing else', () => {
  const dashboard = files.filter(({ path }) => path.startsWith('dashboard/src/') && !isTest(path));
  const ways = /\b(fetch|XMLHttpRequest|sendBeacon|EventSource|WebSocket|WebTransport)\b/;
  const asking = dashboard.filter(({ lines }) => lines.some((line) => ways.test(line)));
  expect(asking.map(({ path }) => path)).toEqual([asksForDashboard]);
  const outside = dashboard.flatMap(({ imports }) =>
    imports.filter((target) => !target.startsWith('dashboard/src/')),
  );
  expect([...new Set(outside)]).toEqual(['client/src/index.ts']);
});

test('nothing is left unfinished or switched off', () => {
  const marks = new RegExp(
    `\\b(TO${'DO'}|FIX${'ME'})\\b|\\b(test|it|describe)\\.(skip|only|todo)\\(`,
  );
  const left = files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (marks.test(line) ? [`${path}:${index + 1}`] : [])),
  );
  expect(left).toEqual([]);
});

test.each(['SECURITY.md', 'docs/asvs.md'])('%s names only files that exist', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const inCode = [...text.matchAll(/`([\w.-]+(?:\/[\w.@-]+)*\.(?:[cm]?[jt]s|json|md|txt|html))`/g)];
  const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)];
  const named = [
    ...inCode.map(([, path = '']) => path),
    ...linked.map(([, path = '']) => join(dirname(page), path)),
  ];
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('of every release since 0.2.0 there is a data folder for the upgrade test', () => {
  const tagged = execFileSync('git', ['tag', '--list', 'v*'], { cwd: root, encoding: 'utf8' });
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const packed = releasesWithout(changelog, tagged, (release) =>
    existsSync(join(root, `test/start/former/${release}.tar.gz`)),
  );
  expect(packed).toEqual([]);
  const later = '## Unreleased\n\n## 1.2.0\n\n### 9.9.9\n\n## 0.2.0\n\n## 0.1.0 (2026-11-25)\n';
  expect(releasesWithout(later, 'v1.3.0\nv0.2.0\nvery\n', (one) => one === '0.2.0')).toEqual([
    ...['1.2.0', '1.3.0'],
  ]);
});

/** Releases with a heading or a tag, as far as they have none. */
function releasesWithout(
  changelog: string,
  tags: string,
  has: (release: string) => boolean,
): string[] {
  const headings = changelog.matchAll(/^## v?(\d+\.\d+\.\d+)/gm);
  const tagged = tags.matchAll(/^v(\d+\.\d+\.\d+)$/gm);
  const releases = new Set([...headings, ...tagged].map(([, release = '']) => release));
  // Nothing was released before 0.2.0: data of those versions is refused.
  return [...releases].filter((release) => !/^0\.[01]\./.test(release) && !has(release));
}

function sourceFiles(): SourceFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs', '*.js'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  return listed
    .trim()
    .split('\n')
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const imports = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, target]) =>
        normalize(join(dirname(path), target ?? '')),
      );
      return { path, lines: text.trimEnd().split('\n'), imports };
    });
}

function isAllowed(path: string, target: string): boolean {
  // Made up for the verb of that name, beside the clip of which its films are made.
  if (target.startsWith('demo/')) return path === 'src/cli/import/demo.ts';
  const from = roomUnder('src', path);
  const to = roomUnder('src', target);
  if (from === undefined || from === 'app') return true;
  if (to === undefined || from === to) return to !== undefined;
  if (!layers[from]?.includes(to)) return false;
  return interfaces[to] === undefined || interfaces[to] === target;
}

/** The folder inside `folder` that has the file; undefined if it is loose there, or elsewhere. */
function roomUnder(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  const [room, inside] = path.slice(folder.length + 1).split('/');
  return inside === undefined ? undefined : room;
}

function foldersOf(sources: readonly SourceFile[]): string[] {
  const folders = new Set<string>();
  for (const { path } of sources) {
    for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.add(at);
  }
  return [...folders].sort();
}

/** Rooms of a folder that come back to themselves; its loose files tie them together and may. */
function circlesIn(folder: string): string[] {
  const imported = new Map<string, Set<string>>();
  for (const { path, imports } of product) {
    const from = roomUnder(folder, path);
    if (from === undefined) continue;
    const others = imported.get(from) ?? new Set();
    imported.set(from, others);
    for (const target of imports) {
      const to = roomUnder(folder, target);
      if (to !== undefined && to !== from) others.add(to);
    }
  }
  const reachedFrom = (room: string): Set<string> => {
    const reached = new Set<string>();
    const visit = (at: string): void => {
      for (const next of imported.get(at) ?? []) {
        if (reached.has(next)) continue;
        reached.add(next);
        visit(next);
      }
    };
    visit(room);
    return reached;
  };
  return [...imported.keys()]
    .filter((room) => reachedFrom(room).has(room))
    .map((room) => `${folder}/${room}`);
}
