/** What runs the engine: the bundled library, or a program of ClickHouse that is installed. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Fault } from '../vocabulary/faults.ts';
import { type EngineFiles, enginePackage } from './engine-settings.ts';

/** That of the bundled one: with it everything is tested. */
const leastVersion = { year: 26, release: 7 };
const versionWithinMs = 30_000;

/**
 * Ends the group of processes, and so the engine, when the pipe of the service ends, as the bundled
 * engine's process does. The shell becomes the engine, so that signals reach it.
 */
const withParent = '(read -r _ <&3; kill -KILL 0) 2>/dev/null & exec 3<&-; exec "$@"';

interface EngineProgram {
  /** For the log. */
  readonly name: string;
  readonly version: string;
  /** The words of a command that runs it; the pipe of the service is its descriptor 3. */
  command(files: EngineFiles, port: number, protocols: readonly string[]): [string, ...string[]];
}

/**
 * The program that is named; else the bundled engine or, where there is none, `clickhouse` on the
 * PATH. Throws UNAVAILABLE where there is none of these, or it is too old.
 */
export async function findEngineProgram(
  named: string | undefined,
  searchPath = '',
  bundledPackage = enginePackage,
): Promise<EngineProgram> {
  const version = named === undefined ? bundledVersion(bundledPackage) : undefined;
  if (version !== undefined) return { name: 'bundled', version, command: bundledCommand };
  const path = findExecutable(named ?? 'clickhouse', searchPath);
  if (path === undefined) throw new Fault('UNAVAILABLE', whyNone(named));
  return { name: path, version: await readVersion(path), command: serverCommand(path) };
}

function bundledVersion(bundledPackage: string): string | undefined {
  const load = createRequire(import.meta.url);
  try {
    return (load(bundledPackage) as { version: string }).version;
  } catch {
    return undefined;
  }
}

function bundledCommand(
  { configFile, storeFolder }: EngineFiles,
  port: number,
  protocols: readonly string[],
): [string, ...string[]] {
  // Compiled, in the packed product, it has another ending.
  const program = join(import.meta.dirname, `engine-process${extname(import.meta.filename)}`);
  return [process.execPath, program, configFile, storeFolder, String(port), ...protocols];
}

function serverCommand(path: string): EngineProgram['command'] {
  return ({ configFile, storeFolder }, port) => {
    const server = [path, 'server', `--config-file=${configFile}`, '--'];
    const settings = {
      path: `${storeFolder}/`,
      http_port: port,
      listen_host: '127.0.0.1',
      // The service reads standard error, and writes what is there into its own log.
      'logger.console': 1,
      'logger.level': 'error',
    };
    const words = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    return ['/bin/sh', '-c', withParent, 'sh', ...server, ...words];
  };
}

function findExecutable(name: string, searchPath: string): string | undefined {
  const places = name.includes('/')
    ? [resolve(name)]
    : searchPath.split(delimiter).flatMap((folder) => (folder ? [resolve(folder, name)] : []));
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function whyNone(named: string | undefined): string {
  const install =
    'install it with `curl https://clickhouse.com/ | sh` and set CLICKHOUSE_PROGRAM=./clickhouse, ' +
    'or set CLICKHOUSE_URL to a server';
  if (named !== undefined) {
    return `CLICKHOUSE_PROGRAM is ${named}, which is no program that can be run: ${install}`;
  }
  const { platform, arch } = process;
  return `There is no bundled ClickHouse for ${platform}-${arch}, and none on the PATH: ${install}`;
}

/** Throws UNAVAILABLE if it is too old, or not ClickHouse. */
async function readVersion(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['server', '--version'], {
    env: {},
    timeout: versionWithinMs,
  }).catch((cause) => {
    throw new Fault('UNAVAILABLE', `${path} does not say its version`, { cause });
  });
  const [, version, year, release] = /version ((\d+)\.(\d+)[.\d]*)/.exec(stdout) ?? [];
  if (version === undefined) throw new Fault('UNAVAILABLE', `${path} is not ClickHouse`);
  const ahead = Number(year) - leastVersion.year || Number(release) - leastVersion.release;
  if (ahead >= 0) return version;
  const { year: leastYear, release: leastRelease } = leastVersion;
  throw new Fault(
    'UNAVAILABLE',
    `${path} is ClickHouse ${version}: version ${leastYear}.${leastRelease} or later is needed, ` +
      'such as `curl https://clickhouse.com/ | sh` installs',
  );
}
