/**
 * Builds the tracker in memory, for the server to serve; run by itself it writes `dist/` for the
 * package. Size budget of each form: trackerLimitGzipBytes, held by build.test.ts.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

export const trackerLimitGzipBytes = 3072;

export interface BuiltTracker {
  /** The classic script, for a script tag. */
  readonly script: string;
  /** The ES module, which exports `track`. */
  readonly module: string;
}

let built: Promise<BuiltTracker> | undefined;

/** Built once in a process, however many ask for it and when. */
export function buildTracker(): Promise<BuiltTracker> {
  built ??= bundleBoth();
  return built;
}

async function bundleBoth(): Promise<BuiltTracker> {
  const [script, module] = await Promise.all([
    bundle('script-tag.ts', 'iife'),
    bundle('index.ts', 'esm'),
  ]);
  // The compiler is a process of its own, which would stay as long as the service. Under another
  // build it would never answer.
  await stop();
  return { script, module };
}

async function bundle(entry: string, format: 'iife' | 'esm'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`src/${entry}`, import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
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

if (import.meta.main) {
  const dist = new URL('dist/', import.meta.url);
  const { script, module } = await buildTracker();
  await mkdir(dist, { recursive: true });
  await writeFile(new URL('tracker.js', dist), script);
  await writeFile(new URL('tracker.mjs', dist), module);
}
