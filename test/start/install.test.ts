/** Installing what is missing: one at a time, whole or not at all, never under what runs. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Kind, testKinds } from '../support/each-kind.ts';
import { waitUntil } from '../support/wait-until.ts';

let registry: SmallRegistry;
let clone: SmallClone;
let running: Running[] = [];

beforeEach(async () => {
  registry = await startSmallRegistry();
  clone = new SmallClone(registry);
  running = [];
});

afterEach(() => {
  for (const { child } of running) child.kill('SIGKILL');
  registry.close();
  rmSync(clone.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const runsOnce = { code: 0, stdout: 'alpha 1.0.0\n' };

function begin(script: string): Running {
  const begun = clone.begin(script);
  running.push(begun);
  return begun;
}

async function startService(): Promise<Running> {
  const service = begin('dist/main.js');
  await waitUntil('the service runs', () => service.stdout().includes('runs with'));
  return service;
}

test('installs what is missing, once', async () => {
  expect(await clone.run('once.ts')).toMatchObject(runsOnce);
  const fetched = registry.fetched.length;
  expect(await clone.run('once.ts')).toEqual({ ...runsOnce, stderr: '' });
  expect(registry.fetched).toHaveLength(fetched);
});

test('the service needs nothing of what tests it, and runs from what the tests installed', async () => {
  const service = await startService();
  service.child.kill('SIGTERM');
  expect(await service.ended).toMatchObject({ code: 0 });
  expect(registry.fetched).not.toContain('beta-1.0.0');
  expect(await clone.run('tested.ts')).toMatchObject({ stdout: 'alpha 1.0.0 and beta 1.0.0\n' });
  const fetched = registry.fetched.length;
  const again = await startService();
  again.child.kill('SIGTERM');
  await again.ended;
  expect(registry.fetched).toHaveLength(fetched);
});

test('of several that start at once one installs, and all run', async () => {
  const all = ['once.ts', 'once.ts', 'once.ts', 'once.ts'].map((script) => clone.run(script));
  const ended = await Promise.all(all);
  for (const one of ended) expect(one).toMatchObject(runsOnce);
  expect(ended.filter(({ stderr }) => stderr.includes('Installing'))).toHaveLength(1);
  expect([...registry.fetched].sort()).toEqual([...new Set(registry.fetched)].sort());
});

describe('a stamp that says all is well is not believed', () => {
  const spoilt: (Kind & { spoil(): void })[] = [
    {
      name: 'a package is gone',
      tags: ['long'],
      spoil: () => rmSync(clone.path('node_modules/alpha'), { recursive: true }),
    },
    {
      name: 'a package is empty',
      spoil: () => rmSync(clone.path('node_modules/alpha/package.json')),
    },
    {
      name: 'Node is gone',
      tags: ['long'],
      spoil: () => rmSync(clone.path('node_modules/node/bin/node')),
    },
    {
      name: 'nothing says what is there',
      tags: ['long'],
      spoil: () => rmSync(clone.path('node_modules/.package-lock.json')),
    },
    {
      name: 'another version is there',
      spoil() {
        const list = clone.path('node_modules/.package-lock.json');
        const text = readFileSync(list, 'utf8').replace(/1\.0\.0/g, '0.9.0');
        writeFileSync(list, text);
      },
    },
  ];
  testKinds(spoilt, '$name', async ({ spoil }) => {
    await clone.run('once.ts');
    spoil();
    const { stderr, ...ended } = await clone.run('once.ts');
    expect(ended).toEqual(runsOnce);
    expect(stderr).toContain('Installing');
    expect(existsSync(clone.path('node_modules/alpha/package.json'))).toBe(true);
  });
});

describe('an upgrade that does not come to its end leaves what was there', () => {
  const installedVersion = () => readFileSync(clone.path('node_modules/alpha/index.js'), 'utf8');

  test('killed on the way, and done by the next start', async () => {
    await clone.run('once.ts');
    clone.lock({ alpha: '2.0.0' });
    registry.hold();
    const killed = begin('once.ts');
    await waitUntil('it fetches', () => registry.fetched.includes('alpha-2.0.0'));
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    expect(installedVersion()).toContain('1.0.0');
    registry.letGo();
    expect(await clone.run('once.ts')).toMatchObject({ code: 0, stdout: 'alpha 2.0.0\n' });
    expect(installedVersion()).toContain('2.0.0');
  });

  test('nothing to be had', async () => {
    await clone.run('once.ts');
    clone.lock({ alpha: '2.0.0' });
    registry.isEmpty = true;
    const { code, stdout, stderr } = await clone.run('once.ts');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('npm ci ended with 1');
    expect(stderr).not.toContain('    at ');
    expect(installedVersion()).toContain('1.0.0');
  });
});

describe('while the service runs', () => {
  const askLater = async ({ child, stdout }: Running) => {
    child.stdin?.write('\n');
    await waitUntil('it imports', () => stdout().includes('later'));
    return stdout();
  };

  test('what tests need is put beside what it runs from', async () => {
    const service = await startService();
    expect(await clone.run('tested.ts')).toMatchObject({
      code: 0,
      stdout: 'alpha 1.0.0 and beta 1.0.0\n',
    });
    expect(await askLater(service)).toContain('later gamma 1.0.0');
    expect(await clone.run('tested.ts')).toMatchObject({ code: 0, stderr: '' });
  });

  test('an upgrade is refused, and done after its end', async () => {
    const service = await startService();
    clone.lock({ alpha: '2.0.0' });
    const { code, stdout, stderr } = await clone.run('once.ts');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/process .*\b\d+ runs from the installed ones\. Stop it/);
    expect(stderr).toContain(String(service.child.pid));
    expect(await askLater(service)).toContain('later gamma 1.0.0');
    service.child.kill('SIGTERM');
    await service.ended;
    expect(await clone.run('once.ts')).toMatchObject({ code: 0, stdout: 'alpha 2.0.0\n' });
  });

  test('a start during an installation waits for its end', async () => {
    registry.hold();
    const first = begin('tested.ts');
    await waitUntil('it fetches', () => registry.fetched.length > 0);
    const second = begin('dist/main.js');
    await waitUntil('it waits', () => second.stderr().includes('Waiting for process'));
    registry.letGo();
    expect(await first.ended).toMatchObject({ code: 0 });
    await waitUntil('it runs', () => second.stdout().includes('runs with'));
  });
});

test('the tracker is built again where its sources changed', async () => {
  expect((await clone.run('once.ts')).stderr).toContain('builds the tracker');
  expect(await clone.run('once.ts')).toEqual({ ...runsOnce, stderr: '' });
  writeFileSync(clone.path('tracker/src/index.ts'), 'export const changed = true;');
  expect((await clone.run('once.ts')).stderr).toContain('builds the tracker');
});

const sources: (Kind & { source: string })[] = [
  { name: 'its own', source: 'dashboard/src/main.tsx' },
  { name: 'its page', tags: ['long'], source: 'dashboard/index.html' },
  { name: 'the client', tags: ['long'], source: 'client/src/index.ts' },
];
testKinds(
  sources,
  'the dashboard is built again, and it alone, where its sources changed: $name',
  async ({ source }) => {
    expect((await clone.run('once.ts')).stderr).toContain('builds the dashboard');
    expect(await clone.run('once.ts')).toEqual({ ...runsOnce, stderr: '' });
    writeFileSync(clone.path(source), 'export const changed = true;');
    const { stderr } = await clone.run('once.ts');
    expect(stderr).toContain('builds the dashboard');
    expect(stderr).not.toContain('builds the tracker');
    expect(await clone.run('once.ts')).toEqual({ ...runsOnce, stderr: '' });
  },
);

describe('links and copies', () => {
  test('a node_modules that is a link is used, and where it does not fit, left alone', async () => {
    await clone.run('once.ts');
    const shared = clone.path('shared');
    renameSync(clone.path('node_modules'), shared);
    symlinkSync(shared, clone.path('node_modules'));
    expect(await clone.run('once.ts')).toEqual({ ...runsOnce, stderr: '' });
    clone.lock({ alpha: '2.0.0' });
    expect(await clone.run('once.ts')).toMatchObject({ code: 0, stdout: 'alpha 2.0.0\n' });
    expect(readFileSync(`${shared}/alpha/index.js`, 'utf8')).toContain('1.0.0');
  });

  test('a clone is reached by a link', async () => {
    await clone.run('once.ts');
    const link = `${clone.root}-link`;
    symlinkSync(clone.root, link);
    expect(await clone.run('once.ts', link)).toEqual({ ...runsOnce, stderr: '' });
    rmSync(link);
  });

  test('a copy knows nothing of what runs in the original', async () => {
    await startService();
    const copy = `${clone.root}-copy`;
    cpSync(clone.root, copy, { recursive: true, dereference: true });
    rmSync(`${copy}/node_modules/alpha`, { recursive: true });
    writeFileSync(`${copy}/node_modules/gamma/package.json`, '{"version":"0.9.0"}');
    expect(await clone.run('once.ts', copy)).toMatchObject(runsOnce);
    rmSync(copy, { recursive: true });
  });
});

/* A clone with the real scripts and three tiny packages, served by a registry of the test's own. */

const project = join(import.meta.dirname, '../..');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
}

interface SmallRegistry {
  /** Names and versions of what was fetched, in order. */
  readonly fetched: string[];
  /** Whether it answers; what is asked meanwhile waits. */
  hold(): void;
  letGo(): void;
  /** Whether it answers 404 to everything. */
  isEmpty: boolean;
  /** The entry of the lockfile. */
  entryOf(name: string, version: string): Record<string, string>;
  close(): void;
}

/** Serves `node`, which runs the Node of the tests, and packages that their version. */
async function startSmallRegistry(): Promise<SmallRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'playmeter-registry-'));
  let held: Promise<void> = Promise.resolve();
  let letGo = () => {};
  const tarballs = new Map<string, Buffer>();
  const registry: SmallRegistry = {
    fetched: [],
    isEmpty: false,
    hold() {
      held = new Promise((resolve) => {
        letGo = resolve;
      });
    },
    letGo: () => letGo(),
    entryOf(name, version) {
      const file = `${name}-${version}.tgz`;
      const tarball = tarballs.get(file) ?? pack(folder, name, version);
      tarballs.set(file, tarball);
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      return { version, integrity, resolved: `${url}/${file}` };
    },
    close() {
      letGo();
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer(async (request, response) => {
    const file = request.url?.slice(1) ?? '';
    registry.fetched.push(file.replace('.tgz', ''));
    await held;
    const tarball = registry.isEmpty ? undefined : tarballs.get(file);
    response.writeHead(tarball ? 200 : 404).end(tarball);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return registry;
}

function pack(folder: string, name: string, version: string): Buffer {
  const root = join(folder, `${name}-${version}`);
  mkdirSync(join(root, 'package', 'bin'), { recursive: true });
  const manifest = { name, version, type: 'module', exports: './index.js' };
  writeFileSync(join(root, 'package', 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(root, 'package', 'index.js'), `export default '${name} ${version}';\n`);
  const program = join(root, 'package', 'bin', 'node');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  chmodSync(program, 0o755);
  execFileSync('tar', ['-czf', `${root}.tgz`, '-C', root, 'package']);
  return readFileSync(`${root}.tgz`);
}

/** Prints what it imports, at once and later, and reports when it is asked to stop. */
const service = `
import alpha from 'alpha';
process.on('SIGTERM', () => { console.log('stops'); process.exit(0); });
console.log('runs with', alpha);
process.stdin.on('data', async () => console.log('later', (await import('gamma')).default));
`;

class SmallClone {
  readonly root = mkdtempSync(join(tmpdir(), 'playmeter-clone-'));
  private readonly registry: SmallRegistry;

  constructor(registry: SmallRegistry) {
    this.registry = registry;
    cpSync(join(project, 'scripts'), this.path('scripts'), { recursive: true });
    this.addProgram();
    this.addTracker();
    this.addDashboard();
    writeFileSync(this.path('once.ts'), `import alpha from 'alpha'; console.log(alpha);`);
    writeFileSync(
      this.path('tested.ts'),
      `import alpha from 'alpha'; import beta from 'beta'; console.log(alpha, 'and', beta);`,
    );
    this.lock({ alpha: '1.0.0' });
  }

  private addProgram(): void {
    mkdirSync(this.path('src'));
    mkdirSync(this.path('demo', 'data'), { recursive: true });
    writeFileSync(this.path('src', 'main.ts'), service);
    const build = `
      import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
      import { digestOfProgram, programStamp } from './built-from.mjs';
      mkdirSync(new URL('../../dist', import.meta.url), { recursive: true });
      copyFileSync('src/main.ts', 'dist/main.js');
      writeFileSync(programStamp, digestOfProgram());
    `;
    writeFileSync(this.path('scripts', 'program', 'build.ts'), build);
  }

  /** One that says when it is built. */
  private addTracker(): void {
    for (const folder of ['src', 'adapters']) {
      mkdirSync(this.path('tracker', folder), { recursive: true });
    }
    mkdirSync(this.path('client', 'src', 'sender'), { recursive: true });
    const digest = 'built-from.mjs';
    cpSync(join(project, 'tracker', digest), this.path('tracker', digest));
    const build = `
      import { mkdirSync, writeFileSync } from 'node:fs';
      import { digestOfSources, stampOf } from './built-from.mjs';
      console.error('builds the tracker');
      mkdirSync(new URL('dist', import.meta.url), { recursive: true });
      writeFileSync(stampOf(), digestOfSources());
    `;
    writeFileSync(this.path('tracker', 'build.ts'), build);
  }

  /** One that says when it is built, too; the program says nothing. */
  private addDashboard(): void {
    mkdirSync(this.path('dashboard', 'src'), { recursive: true });
    mkdirSync(this.path('client', 'src'), { recursive: true });
    const digest = 'built-from.mjs';
    cpSync(join(project, 'dashboard', digest), this.path('dashboard', digest));
    for (const source of ['index.html', 'plain-frame.ts']) {
      writeFileSync(this.path('dashboard', source), '');
    }
    const build = `
      import { mkdirSync, writeFileSync } from 'node:fs';
      import { dashboardStamp, digestOfDashboardSources } from './built-from.mjs';
      console.error('builds the dashboard');
      mkdirSync(new URL('dist', import.meta.url), { recursive: true });
      writeFileSync(dashboardStamp, digestOfDashboardSources());
    `;
    writeFileSync(this.path('dashboard', 'build.ts'), build);
  }

  /** Writes the lockfile: `alpha` and `gamma` for the service, `beta` for tests. */
  lock({ alpha }: { readonly alpha: string }): void {
    const dependencies = { node: '1.0.0', alpha, gamma: '1.0.0' };
    const devDependencies = { beta: '1.0.0' };
    const manifest = { name: 'small', version: '1.0.0', type: 'module' };
    const wanted = { dependencies, devDependencies };
    const packages = {
      '': { ...manifest, ...wanted },
      ...Object.fromEntries(
        [...Object.entries(dependencies), ...Object.entries(devDependencies)].map(
          ([name, version]) => [
            `node_modules/${name}`,
            {
              ...this.registry.entryOf(name, version),
              ...(name in devDependencies ? { dev: true } : {}),
            },
          ],
        ),
      ),
    };
    this.write('package.json', { ...manifest, ...wanted, nodeFlags: [], allowScripts: {} });
    this.write('package-lock.json', { ...manifest, lockfileVersion: 3, requires: true, packages });
  }

  private write(name: string, value: object): void {
    writeFileSync(this.path(name), JSON.stringify(value));
  }

  begin(script: string, root = this.root): Running {
    const npmsOwn = /^npm_/i;
    const environment = Object.entries(process.env).filter(([name]) => !npmsOwn.test(name));
    const child = spawn('node', [join(root, 'scripts', 'run.mjs'), script], {
      cwd: root,
      env: { ...Object.fromEntries(environment), npm_config_cache: this.path('.cache') },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });
    return { child, ended, stdout: () => stdout, stderr: () => stderr };
  }

  run(script: string, root?: string): Promise<Ended> {
    return this.begin(script, root).ended;
  }

  path(...names: readonly string[]): string {
    return join(this.root, ...names);
  }
}
