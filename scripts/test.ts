/**
 * npm test: the checks, then the tests of the whole product's behaviour, in some six minutes.
 * `npm test -- FILE...`: all tests of these files, without the checks.
 *
 * npm run test:all [-- GROUP...]: everything else as well, in groups. What has passed for the
 * sources that are here is not run again, so that an interrupted run goes on where it was; a group
 * that is named always runs.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { groups } from '../test/groups.ts';
import { inTestFolder } from './test-folder.ts';

/** See test/simulation/question-count.ts, which asks fewer otherwise. */
const questionsOfAll = '80';
const passedFile = 'node_modules/.cache/test-all.json';
const vitest = ['node_modules/vitest/vitest.mjs', 'run'];

type Command = readonly string[];

const grouped: readonly string[] = Object.values(groups).flat();
/** What is in no group, and of the rest of the product what is not tagged. */
const outsideGroups = grouped.flatMap((path) => [
  '--exclude',
  `${path}*`,
  '--exclude',
  `${path}/**`,
]);

const steps: Readonly<Record<string, readonly Command[]>> = {
  checks: [['scripts/check.ts']],
  everyday: [[...vitest, '--tags-filter=!long', ...outsideGroups]],
  // Many start clusters: more at once would wait for each other beyond their patience.
  long: [[...vitest, '--tags-filter=long', '--maxWorkers=2', ...outsideGroups]],
  ...Object.fromEntries(
    Object.entries(groups).map(([name, paths]) => [name, [[...vitest, ...paths]]]),
  ),
};

process.exitCode = await inTestFolder((TMPDIR) => {
  const given = process.argv.slice(2);
  const [all, ...named] = given;
  if (all === '--all') return runAll(named, TMPDIR);
  if (given.length > 0) return run([...vitest, ...given], { TMPDIR });
  return runSteps(['checks', 'everyday'], { TMPDIR });
});

function runAll(named: readonly string[], TMPDIR: string): number {
  const unknown = named.filter((name) => !(name in steps));
  if (unknown.length > 0) {
    console.error(`No such group: ${unknown.join(', ')}. Groups: ${Object.keys(steps).join(', ')}`);
    return 2;
  }
  const sources = digestOfSources();
  const passed = readPassed(sources);
  const failed: string[] = [];
  for (const name of named.length > 0 ? named : Object.keys(steps)) {
    if (named.length === 0 && passed.includes(name)) {
      console.log(`${name}: passed before, for these sources`);
      continue;
    }
    if (runSteps([name], { TMPDIR, QUESTIONS: questionsOfAll }) !== 0) failed.push(name);
    else passed.push(name);
    mkdirSync('node_modules/.cache', { recursive: true });
    writeFileSync(passedFile, JSON.stringify({ sources, passed }));
  }
  const outcome = failed.length === 0 ? 'all passed' : `failed: ${failed.join(', ')}`;
  console.log(`npm run test:all: ${outcome}`);
  return failed.length === 0 ? 0 : 1;
}

function runSteps(names: readonly string[], environment: NodeJS.ProcessEnv): number {
  for (const name of names) {
    for (const command of steps[name] ?? []) {
      const status = run(command, environment);
      if (status !== 0) return status;
    }
  }
  return 0;
}

function run(command: Command, environment: NodeJS.ProcessEnv): number {
  const env = { ...environment, ...process.env, TMPDIR: environment.TMPDIR };
  return spawnSync(process.execPath, command, { stdio: 'inherit', env }).status ?? 1;
}

function readPassed(sources: string): string[] {
  try {
    const read = JSON.parse(readFileSync(passedFile, 'utf8'));
    return read.sources === sources ? read.passed : [];
  } catch {
    return [];
  }
}

/** Of all that git would commit now. */
function digestOfSources(): string {
  const git = (...words: string[]) => execFileSync('git', words, { maxBuffer: 2 ** 28 });
  const hash = createHash('sha256').update(git('rev-parse', 'HEAD')).update(git('diff', 'HEAD'));
  const added = git('ls-files', '--others', '--exclude-standard').toString().split('\n');
  for (const file of added.filter(Boolean)) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}
