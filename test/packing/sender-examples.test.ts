/**
 * The apps of client/examples, with the client as npm packs it: their types fit, and the tools of
 * their platforms bundle them. Nothing here runs a phone or Electron itself.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outsideNpm } from '../support/packed-product.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');
/** The registry may be slow. */
const patience = { timeout: 900_000 };

let place: string;
let client: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'playmeter-examples-'));
  const source = join(place, 'client');
  await cp(join(root, 'client/package.json'), join(source, 'package.json'));
  const words = ['-p', join(root, 'client/tsconfig.build.json'), '--outDir', join(source, 'dist')];
  await execute(process.execPath, [compiler, ...words]);
  const { stdout } = await npm(source, 'pack', '--ignore-scripts');
  client = join(source, stdout.trim());
});
afterAll(() => rm(place, { recursive: true }));

const npm = (cwd: string, ...words: string[]) => execute('npm', words, { cwd, env: outsideNpm() });
const node = (cwd: string, ...words: string[]) => execute(process.execPath, words, { cwd });

/** A copy of the example with all it needs, of which the types fit. */
async function installExample(name: string): Promise<string> {
  const folder = join(place, name);
  await cp(join(root, 'client/examples', name), folder, { recursive: true });
  await npm(folder, 'install', '--ignore-scripts', client);
  await node(folder, compiler, '-p', folder);
  return folder;
}

test('React Native: Metro bundles the app for both systems', patience, async () => {
  const folder = await installExample('react-native');
  const metro = ['node_modules/metro/src/cli.js', 'build', 'app.tsx', '-c', 'metro.config.js'];
  for (const system of ['ios', 'android']) {
    const file = `${system}.js`;
    await node(folder, ...metro, '--platform', system, '--out', file);
    expect(await readFile(join(folder, file), 'utf8')).toContain('server-time');
  }
});

test(
  'Electron: esbuild bundles the main process, the preload script and the page',
  patience,
  async () => {
    const folder = await installExample('electron');
    await npm(folder, 'run', 'build');
    const main = await readFile(join(folder, 'dist/main.js'), 'utf8');
    expect(main).toContain('server-time');
    for (const part of ['preload', 'page']) {
      const text = await readFile(join(folder, `dist/${part}.js`), 'utf8');
      expect(text).toContain('playmeter');
      expect(text).not.toContain('server-time');
    }
  },
);
