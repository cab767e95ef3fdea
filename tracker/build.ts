/**
 * Builds the tracker's two forms into `dist/`, which the service serves and the package ships.
 * scripts/run.mjs runs it after installing, and whenever the sources have changed.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { digestOfSources, stampOf } from './built-from.mjs';

/** The size budget of each form, which test/browser/tracker-size.test.ts enforces. */
export const trackerLimitGzipBytes = 3072;

/** Members of the tracker's own objects, made short; not those that pages or the server know. */
const ownNames =
  'look beaconOf put take settle keep adopt learn flush online all rate hasEnd playing';
const ownMembers = new RegExp(`Ms$|Seconds$|^(?:${ownNames.replaceAll(' ', '|')})$`);
const knownMembers = /^(?:playMs|mediaMs|heartbeatMs)$/;

if (import.meta.main) await buildTracker();

async function buildTracker(): Promise<void> {
  const digest = digestOfSources();
  const dist = join(import.meta.dirname, 'dist');
  await mkdir(dist, { recursive: true });
  await put(join(dist, 'tracker.js'), await bundle('script-tag.ts', 'iife'));
  await put(join(dist, 'tracker.mjs'), await bundle('index.ts', 'esm'));
  await put(stampOf(), digest);
}

/** In one step: another process may build or read at the same time. */
async function put(file: string, text: string): Promise<void> {
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, text);
  await rename(fresh, file);
}

async function bundle(entry: string, format: 'iife' | 'esm'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'src', entry)],
    bundle: true,
    write: false,
    minify: true,
    mangleProps: ownMembers,
    reserveProps: knownMembers,
    legalComments: 'none',
    charset: 'utf8',
    platform: 'browser',
    target: 'es2019',
    format,
    // The server's own tsconfig is not the browser's; nothing in it may reach the output.
    tsconfigRaw: {},
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`esbuild gave no output for ${entry}`);
  return file.text;
}
