/** The rules of the house that a machine can check: sizes, names, who imports whom, no cycles. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const maxLines = 300;
const maxTestLines = 600;
const maxFunctionLines = 70;
const maxColumns = 100;

/** Which folder of src may import which others. Files of src itself compose and may import all. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  wire: ['lib'],
  engine: ['lib', 'wire'],
  workers: ['lib', 'wire'],
  facts: ['lib', 'wire'],
  catalog: ['lib', 'wire'],
  managing: ['lib', 'wire', 'catalog'],
  spool: ['lib', 'wire', 'facts'],
  collect: ['lib', 'wire', 'facts', 'catalog', 'spool'],
  report: ['lib', 'wire', 'facts', 'catalog'],
  ingest: ['lib', 'wire', 'catalog', 'managing'],
  notify: ['lib', 'wire', 'facts', 'catalog', 'managing', 'report'],
  erasing: ['lib', 'wire', 'facts', 'catalog', 'managing', 'collect'],
  upkeep: ['lib', 'wire', 'facts', 'catalog', 'managing', 'report', 'erasing'],
  api: ['lib', 'wire', 'facts', 'catalog', 'managing', 'collect', 'report', 'erasing', 'notify'],
  cli: [
    'lib',
    'wire',
    'catalog',
    'managing',
    'collect',
    'report',
    'ingest',
    'erasing',
    'notify',
    'upkeep',
  ],
};
/** Which room of the catalog may import which others; all may import its interface. */
const catalogRooms: Readonly<Record<string, readonly string[]>> = {
  database: [],
  audit: ['database'],
  access: ['database', 'audit'],
  audience: ['database', 'audit', 'access'],
  answers: ['database'],
  search: ['database'],
  library: ['database', 'audit', 'access', 'search'],
  limiting: ['database'],
  erasures: ['database', 'audit', 'sharing'],
  sharing: ['database', 'audit', 'access', 'library'],
  notifying: ['database', 'audit', 'access'],
  verdicts: ['database', 'audit', 'access', 'erasures'],
  exporting: ['database'],
  upkeep: ['database'],
};
/** From outside, these folders are seen through their interface only. */
const interfaces: Readonly<Record<string, string>> = {
  facts: 'src/store/facts.ts',
  catalog: 'src/catalog/catalog.ts',
};
const compositionOnly = ['src/main.ts', 'src/config/config.ts', 'src/app/service.ts'];
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
  // What ends a process that was broken off, though a store hangs.
  'src/cli/runner/interruption.ts',
  // In the browser.
  'src/http/pages/reference/reference.js',
];
/** Files that may open connections, to what the configuration names alone, or run programs. */
const reachOut = [
  'src/catalog/database/postgres-dialect.ts',
  'src/catalog/database/connection-errors.ts',
  'src/engine/engine.ts',
  'src/engine/running-engine.ts',
  'src/engine/answer-watch.ts',
  'src/store/client/store-client.ts',
  'src/store/client/written-rows.ts',
  'src/import/thumbnail-capture.ts',
  // To the receiver of traces that the environment names.
  'src/lib/telemetry/open-telemetry.ts',
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
  'src/http/pages/reference/reference.js',
  'src/http/pages/reference/search.js',
];
/** The one file of the dashboard that sends requests: those of the client. */
const asksForDashboard = 'dashboard/src/server.ts';
const emptyNames = /^(utils?|helpers?|manager|common|misc|types|index)\.tsx?$/;
/** Files that no rule of length holds for, each with its reason. */
const longFiles: Readonly<Record<string, string>> = {
  'client/src/interface.ts':
    'generated whole from docs/openapi.json by scripts/generate.ts, and never edited by hand',
};
/** The one entry that a package's consumers name. */
const entryFiles = ['tracker/src/index.ts', 'client/src/index.ts'];

interface SourceFile {
  readonly path: string;
  readonly lines: readonly string[];
  readonly imports: readonly string[];
}

const files = sourceFiles();
const bounded = files.filter(({ path }) => longFiles[path] === undefined);
const isTest = (path: string) => path.startsWith('test/') || path.endsWith('.test.ts');
const isLong = ({ path, lines }: SourceFile) =>
  lines.length > (isTest(path) ? maxTestLines : maxLines);
const product = files.filter(({ path }) => path.startsWith('src/') && !isTest(path));

test('files are short, but for those listed', () => {
  expect(bounded.filter(isLong).map(({ path }) => path)).toEqual([]);
});

test.each(Object.keys(longFiles))('%s is listed as long because it is', (path) => {
  expect(files.filter(isLong).map((file) => file.path)).toContain(path);
});

test('lines are short', () => {
  // What tests are called, and the URLs they ask, may be longer.
  const long = bounded
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => (line.length > maxColumns ? [`${path}:${index + 1}`] : [])),
    );
  expect(long).toEqual([]);
});

test('functions are short', () => {
  const long = bounded
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, lines }) => longFunctions(lines).map((line) => `${path}:${line}`));
  expect(long).toEqual([]);
});

test('files are named after what they hold', () => {
  const bad = files
    .map(({ path }) => path)
    .filter((path) => !entryFiles.includes(path))
    .filter((path) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      return emptyNames.test(name) || !/^[a-z0-9]+([.-][a-z0-9]+)*\.(tsx?|mjs|js)$/.test(name);
    });
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

test('what sends traces is loaded where they are on, and nowhere else', () => {
  const importing = product.filter(({ lines }) =>
    lines.some((line) => /from '@opentelemetry\/|from '.*open-telemetry\.ts'/.test(line)),
  );
  expect(importing.map(({ path }) => path)).toEqual([
    'src/lib/telemetry/open-telemetry.ts',
    // A type.
    'src/app/parts/trace-exporter.ts',
  ]);
  const types = /import type \{ Telemetry \} from '.\/lib\/open-telemetry\.ts'/;
  const tracing = product.find(({ path }) => path === 'src/app/parts/trace-exporter.ts');
  expect(tracing?.lines.filter((line) => types.test(line))).toHaveLength(1);
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

test('of every release there is a data folder that the upgrade test brings up to date', () => {
  const tagged = execFileSync('git', ['tag', '--list', 'v*'], { cwd: root, encoding: 'utf8' });
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const packed = releasesWithout(changelog, tagged, (release) =>
    existsSync(join(root, `test/start/former/${release}.tar.gz`)),
  );
  expect(packed).toEqual([]);
  const later = '## Unreleased\n\n## 1.2.0\n\n### 9.9.9\n\n## 0.1.0 (2026-11-25)\n';
  expect(releasesWithout(later, 'v1.3.0\nv0.1.0\nvery\n', (one) => one === '0.1.0')).toEqual([
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
  return [...releases].filter((release) => !has(release));
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
  const [, from = ''] = path.split('/');
  const [top, to = ''] = target.split('/');
  const isComposition = !path.slice('src/'.length).includes('/');
  if (isComposition) return true;
  if (compositionOnly.includes(target)) return false;
  if (top !== 'src') return false;
  if (from === to) return from !== 'catalog' || isAllowedInCatalog(path, target);
  if (!mayImport[from]?.includes(to)) return false;
  return interfaces[to] === undefined || interfaces[to] === target;
}

function isAllowedInCatalog(path: string, target: string): boolean {
  const roomOf = (file: string) => file.split('/').slice(2, -1)[0];
  const from = roomOf(path);
  const to = roomOf(target);
  if (from === undefined) return path === 'src/catalog/open-catalog.ts' || to === undefined;
  if (to === undefined) return target !== 'src/catalog/open-catalog.ts';
  return from === to || catalogRooms[from]?.includes(to) === true;
}

/** The formatter puts a function's last brace under its first line: that is how long it is. */
function longFunctions(lines: readonly string[]): number[] {
  const opening = /^(\s*).*(\bfunction\b.*|=>|\)(: [^=]+)?) \{$/;
  return lines.flatMap((line, index) => {
    const indent = opening.exec(line)?.[1];
    if (indent === undefined || /^\s*(if|for|while|switch|\} else)\b/.test(line)) return [];
    const length = lines.slice(index).findIndex((other) => other.startsWith(`${indent}}`));
    return length + 1 > maxFunctionLines ? [index + 1] : [];
  });
}
