/**
 * Every block of code of the README and of the guides: what is JavaScript or TypeScript fits the
 * packages it imports and the players it configures; of each other language a test is named.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { shelvesIn } from '../../src/http/pages/guide-list.ts';
import { sayIn } from '../../src/http/pages/messages/messages.ts';

const root = join(import.meta.dirname, '../..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');

/** By language: the test of its blocks, or why there is none. */
const testedBy: Readonly<Record<string, string>> = {
  js: 'test/cli/documented-code.test.ts',
  jsx: 'test/cli/documented-code.test.ts',
  ts: 'test/cli/documented-code.test.ts',
  yaml: 'test/cli/documented-code.test.ts',
  sh: 'test/cli/documented-commands.test.ts',
  html: 'test/browser/documented-pages.test.ts',
  http: 'test/generated.test.ts',
  nginx: 'test/proxy/behind-nginx.test.ts',
  python: 'test/collect/signed-views-examples.test.ts',
  php: 'test/collect/signed-views-examples.test.ts',
};
/** What a program answers, and not what anybody types in; and Caddy, which no package brings. */
const untested = ['json', 'caddyfile'];

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const packages = ['tracker/README.md', 'client/README.md'];
const guides = shelvesIn(sayIn('en')).flatMap(({ guides }) => guides.map(({ file }) => file));
const pages = new Set(['README.md', 'deploy/README.md', ...packages, ...guides]);
const blocks: Block[] = [];
for (const page of [...pages].filter((name) => name.endsWith('.md'))) {
  const text = await readFile(join(root, page), 'utf8');
  for (const [, language = '', code = ''] of text.matchAll(/^```([a-z]+)\n(.*?)^```$/gms)) {
    blocks.push({ page, language, text: code });
  }
}

/** What a page of the reader's has already. */
const given = `
import type Dash from 'dashjs';
import type HlsPlayer from 'hls.js';
import type shaka from 'shaka-player';
import type videojs from 'video.js';
type Player = Pick<Dash.MediaPlayerClass, 'attachSource' | 'updateSettings'> &
  Pick<shaka.Player, 'load' | 'configure' | 'getAdManager'> &
  Pick<ReturnType<typeof videojs>, 'pause' | 'el' | 'src' | 'on'>;
type Tracker = typeof import('@playmeter/tracker');
declare global {
  const videoKey: string;
  const address: string;
  const video: HTMLVideoElement;
  const videoElement: HTMLVideoElement;
  const body: string;
  const headers: Record<string, string>;
  const Hls: typeof HlsPlayer;
  const hls: HlsPlayer;
  const player: Player;
  const tracking: ReturnType<Tracker['track']>;
  const adsManager: { addEventListener(type: string, listener: () => void): void };
  const google: { ima: { AdEvent: { Type: Record<string, string> } } };
  const shaka: { ads: { Utils: Record<string, string> } };
}`;
/** As the service sends it. */
const sent = ['https://media.example/play.mjs', 'http://127.0.0.1:8080/play.mjs']
  .map((url) => `declare module '${url}' { export * from '@playmeter/tracker'; }`)
  .join('\n');
const settings = {
  compilerOptions: {
    ...{ target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], types: ['node'] },
    ...{ module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true },
    ...{ strict: true, noEmit: true, skipLibCheck: true, jsx: 'react-jsx' },
    // Who writes JavaScript gives no types, and need not look whether a page has a video.
    ...{ allowJs: true, checkJs: true, strictNullChecks: false, noImplicitAny: false },
    paths: {
      '@playmeter/tracker': [join(root, 'tracker/src/index.ts')],
      '@playmeter/tracker/react': [join(root, 'tracker/src/react.ts')],
      '@playmeter/tracker/*': [join(root, 'tracker/adapters/*.ts')],
      '@playmeter/client': [join(root, 'client/src/index.ts')],
      '@playmeter/client/sender': [join(root, 'client/src/sender/index.ts')],
    },
  },
  include: ['*.js', '*.jsx', '*.ts'],
};

/** What the compiler says of these files themselves, by their names. */
async function complaintsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-code-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const all = {
    ...{ 'given.d.ts': given, 'sent.d.ts': sent, 'tsconfig.json': JSON.stringify(settings) },
    // A module each: what one declares is not there for the next.
    ...Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, `${text}\nexport {};\n`]),
    ),
  };
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [compiler, '-p', folder], { cwd: folder }, (_, out) => resolve(out));
  });
  // Our own sources are checked by stricter settings, and the lines that are indented explain.
  return said.split('\n').filter((line) => /^[^\s.]/.test(line));
}

const typed = blocks.filter(({ language }) => ['js', 'jsx', 'ts'].includes(language));
const files = Object.fromEntries(
  typed.map(({ page, language, text }, index) => [
    `${page.replaceAll('/', '-')}-${index}.${language}`,
    text,
  ]),
);

test('JavaScript and TypeScript fit what they import and configure', async () => {
  expect(typed.length).toBeGreaterThan(8);
  expect(await complaintsOf(files)).toEqual([]);
});

test('mistakes in them are found', async () => {
  const wrong = {
    'option.js': "import { track } from '@playmeter/tracker';\ntrack(video, { videoKey });",
    'player.js': 'new Hls({ cmcd: { version: 2, eventTarget: [] } });',
    'module.js': "import { track } from 'https://media.example/player.mjs';\ntrack();",
  };
  const found = await complaintsOf(wrong);
  expect(found.map((line) => line.split('(')[0]).sort()).toEqual(Object.keys(wrong).sort());
});

test('YAML is YAML', () => {
  const texts = blocks.filter(({ language }) => language === 'yaml').map(({ text }) => text);
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(parse(text)).toEqual(expect.any(Object));
});

test('of each language a test is named that exists', () => {
  const used = [...new Set(blocks.map(({ language }) => language))].sort();
  expect(used).toEqual([...Object.keys(testedBy), ...untested].sort());
  for (const file of Object.values(testedBy)) expect(existsSync(join(root, file)), file).toBe(true);
});
