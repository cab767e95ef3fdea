/** The rules of the house that a machine can check: sizes, names, who imports whom, no cycles. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
  facts: ['lib', 'wire'],
  catalog: ['lib', 'wire'],
  spool: ['lib', 'wire', 'facts'],
  collect: ['lib', 'wire', 'facts', 'catalog', 'spool'],
  report: ['lib', 'wire', 'facts', 'catalog'],
  ingest: ['lib', 'wire', 'catalog'],
  api: ['lib', 'wire', 'facts', 'catalog', 'collect', 'report'],
  cli: ['lib', 'wire', 'catalog', 'collect', 'report', 'ingest'],
};
/** From outside, these folders are seen through their interface only. */
const interfaces: Readonly<Record<string, string>> = {
  facts: 'src/facts/facts.ts',
  catalog: 'src/catalog/catalog.ts',
};
const compositionOnly = ['src/main.ts', 'src/config.ts', 'src/service.ts'];
const emptyNames = /^(utils?|helpers?|manager|common|misc|types|index)\.tsx?$/;
/** The one entry that a package's consumers name. */
const entryFiles = ['tracker/src/index.ts', 'client/src/index.ts'];

interface SourceFile {
  readonly path: string;
  readonly lines: readonly string[];
  readonly imports: readonly string[];
}

const files = sourceFiles();
const isTest = (path: string) => path.startsWith('test/') || path.endsWith('.test.ts');
const product = files.filter(({ path }) => path.startsWith('src/') && !isTest(path));

test('files are short', () => {
  const long = files.filter(
    ({ path, lines }) => lines.length > (isTest(path) ? maxTestLines : maxLines),
  );
  expect(long.map(({ path }) => path)).toEqual([]);
});

test('lines are short', () => {
  // What tests are called, and the addresses they ask, may be longer.
  const long = files
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => (line.length > maxColumns ? [`${path}:${index + 1}`] : [])),
    );
  expect(long).toEqual([]);
});

test('functions are short', () => {
  const long = files
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
      return emptyNames.test(name) || !/^[a-z0-9]+([.-][a-z0-9]+)*\.(ts|mjs|js)$/.test(name);
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
  expect(readers.map(({ path }) => path)).toEqual(['src/main.ts']);
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

function sourceFiles(): SourceFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '*.ts', '*.mjs', '*.js'],
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
  if (from === to) return true;
  if (!mayImport[from]?.includes(to)) return false;
  return interfaces[to] === undefined || interfaces[to] === target;
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
