/**
 * A clone with the real scripts and three tiny packages, served by a registry of the test's own.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
}

export interface SmallRegistry {
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

/** Serves `node`, which runs the Node of the tests, and packages that export their version. */
export async function startSmallRegistry(): Promise<SmallRegistry> {
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

export class SmallClone {
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
    mkdirSync(this.path('tracker', 'src'), { recursive: true });
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
