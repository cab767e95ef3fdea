/** Puts Stryker's faults into the code of an area, and lets its tests judge each of them. */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Instrumenter, type InstrumentResult } from '@stryker-mutator/instrumenter';
import { startVitest } from 'vitest/node';
import type { Area } from './areas.ts';
import { readVerdicts, type Verdict } from './verdicts.ts';

const root = join(import.meta.dirname, '..', '..');

/** What the engine shows, a cluster and a server beside it would only show again. */
const notOfOtherStores = '^(?!.*\\bon a (cluster|configured server))';

export interface JudgedFault {
  readonly place: string;
  readonly change: string;
  /** How many test files come by it. */
  readonly reachedBy: number;
  readonly noticedBy: string | undefined;
}

/** By path. */
type Texts = ReadonlyMap<string, string>;

export async function judgeArea(name: string, area: Area, workers: number): Promise<JudgedFault[]> {
  const code = readTexts(area.mutate, (path) => !path.endsWith('.test.ts'));
  const tests = readTexts(area.tests, () => true);
  const { files, mutants } = await putFaultsInto(code);
  const faulty = new Map(files.map((file) => [file.name, file.content]));
  const verdicts = join(root, 'node_modules', '.cache', 'mutation', `${name}.jsonl`);
  const names = nameTests(tests, code);
  keepOnly(verdicts, new Set(Object.values(names)));
  for (let before = -1; ; ) {
    const said = readVerdicts(verdicts);
    const left = Object.keys(names).filter(
      (path) => !said.some(({ file, fault }) => file === names[path] && fault === undefined),
    );
    if (left.length === 0) break;
    // A fault may end the process of its test file, which is then started again.
    if (said.length === before) throw new Error(`These fail without a fault: ${left.join(', ')}`);
    before = said.length;
    await judge(left, { area, names, verdicts, faulty, workers });
  }
  const said = Map.groupBy(readVerdicts(verdicts), ({ fault }) => fault);
  const judged = mutants.filter(({ status }) => status !== 'Ignored');
  return judged.map((fault) => describe(fault, code, said.get(fault.id) ?? []));
}

function readTexts(patterns: readonly string[], isWanted: (path: string) => boolean): Texts {
  const not = patterns.filter((pattern) => pattern.startsWith('!'));
  const found = globSync(
    patterns.filter((pattern) => !not.includes(pattern)),
    { cwd: root, exclude: not.map((pattern) => pattern.slice(1)) },
  );
  const paths = found.filter(isWanted).sort();
  return new Map(paths.map((path) => [join(root, path), readFileSync(join(root, path), 'utf8')]));
}

async function putFaultsInto(code: Texts): Promise<InstrumentResult> {
  const silent = () => {};
  const not = () => false;
  const logger = {
    ...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
    ...{ isTraceEnabled: not, isDebugEnabled: not, isInfoEnabled: not },
    ...{ isWarnEnabled: not, isErrorEnabled: not, isFatalEnabled: not },
  };
  const files = [...code].map(([path, content]) => ({ name: path, content, mutate: true }));
  return new Instrumenter(logger).instrument(files, {
    plugins: null,
    // Messages and names would have to be repeated in the tests; exact SQL is asserted elsewhere.
    excludedMutations: ['StringLiteral'],
    ignorers: [],
  });
}

/** Verdicts hold as long as the code of the area and the test file stay as they are. */
function nameTests(tests: Texts, code: Texts): Record<string, string> {
  const names = [...tests].map(([path, text]) => {
    const hash = createHash('sha256').update(JSON.stringify([text, ...code]));
    return [path, `${path.slice(root.length + 1)} ${hash.digest('hex').slice(0, 12)}`];
  });
  return Object.fromEntries(names);
}

function keepOnly(verdicts: string, names: ReadonlySet<string>): void {
  const said = readVerdicts(verdicts);
  const isOld = ({ file }: Verdict) => !names.has(file);
  // What a file noticed the others did not try: once it has changed, none of them is through.
  const isAnyOpen = said.some((one) => isOld(one) && one.noticedBy !== undefined);
  const kept = said.filter((one) => !isOld(one) && !(isAnyOpen && one.fault === undefined));
  mkdirSync(dirname(verdicts), { recursive: true });
  writeFileSync(verdicts, kept.map((verdict) => `${JSON.stringify(verdict)}\n`).join(''));
}

interface Judging {
  readonly area: Area;
  readonly names: Readonly<Record<string, string>>;
  readonly verdicts: string;
  readonly faulty: Texts;
  readonly workers: number;
}

async function judge(
  left: readonly string[],
  { area, names, verdicts, faulty, workers }: Judging,
): Promise<void> {
  const plugin = { name: 'faults', enforce: 'pre' as const, load: (id: string) => faulty.get(id) };
  const vitest = await startVitest(
    [],
    {
      config: 'vitest.mutate.config.ts',
      watch: false,
      include: left.map((path) => path.slice(root.length + 1)),
      ...(area.needsEngine && {
        globalSetup: ['test/support/start-shared-parts.ts'],
        testNamePattern: notOfOtherStores,
      }),
      maxWorkers: workers,
      provide: { judging: { verdicts, names, slowAfterMs: area.needsEngine ? 15_000 : 5_000 } },
    },
    { plugins: [plugin] },
  );
  const failed = vitest.state.getTestModules().filter((module) => module.state() === 'failed');
  await vitest.close();
  for (const module of failed) console.error(module.moduleId, module.errors());
  process.exitCode = 0;
}

type Fault = InstrumentResult['mutants'][number];

function describe(
  { fileName, location, replacement }: Fault,
  code: Texts,
  said: readonly Verdict[],
): JudgedFault {
  const lines = (code.get(fileName) ?? '').split('\n');
  const { start, end } = location;
  const place = `${fileName.slice(root.length + 1)}:${start.line + 1}`;
  const taken = lines.slice(start.line, end.line + 1);
  taken[taken.length - 1] = taken.at(-1)?.slice(0, end.column) ?? '';
  taken[0] = taken[0]?.slice(start.column) ?? '';
  const noticedBy = said.find((verdict) => verdict.noticedBy !== undefined)?.noticedBy;
  const change = `${taken.join('\n')}\n    -> ${replacement}`;
  return { place, change, reachedBy: said.length, noticedBy };
}
