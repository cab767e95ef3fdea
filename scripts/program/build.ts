/**
 * Bundles the service and its command line into `dist/`, which is what runs, in a clone as in the
 * packed product: a process loads a few files instead of two thousand.
 * scripts/run.mjs runs it after installing, and whenever the sources have changed.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { digestOfProgram, programStamp } from './built-from.mjs';
import { unbundled } from './unbundled.ts';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');
/** Names of the files that the build before this one made. */
const namesFile = join(dist, '.files.json');

/** What packages in CommonJS expect to have. */
const banner = `import { createRequire as $createRequire } from 'node:module';
const require = $createRequire(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

if (import.meta.main) await buildProgram();

export async function buildProgram(): Promise<void> {
  const digest = digestOfProgram();
  const { outputFiles } = await build({
    // Side by side, as what one of them starts is looked for beside it.
    entryPoints: {
      main: join(root, 'src/main.ts'),
      'engine-process': join(root, 'src/engine/engine-process.ts'),
    },
    bundle: true,
    // What a verb works with is loaded when it needs it.
    splitting: true,
    format: 'esm',
    chunkNames: '[name]-[hash]',
    platform: 'node',
    target: 'node24',
    external: [...unbundled],
    // No `keepNames`: it gives a function its name each time one is made, 20 us of a beacon.
    banner: { js: banner },
    legalComments: 'none',
    // Smaller by a thirtieth packed; names and lines stay, so that traces can be read.
    minifySyntax: true,
    tsconfigRaw: {},
    outdir: dist,
    write: false,
  });
  await mkdir(dist, { recursive: true });
  const isEntry = (path: string) => !/-[A-Z0-9]{8}\.js$/.test(path);
  // The entries last: they name all others.
  const ordered = outputFiles.toSorted((a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)));
  for (const { path, contents } of ordered) await put(path, contents);
  await put(programStamp, digest);
  await removeOlder(outputFiles.map(({ path }) => basename(path)));
}

/** All but what this build and the last one made: a service that runs may still load of that. */
async function removeOlder(names: readonly string[]): Promise<void> {
  const before = JSON.parse(await readFile(namesFile, 'utf8').catch(() => '[]')) as string[];
  const kept = new Set([...names, ...before]);
  for (const name of await readdir(dist)) {
    if (name.endsWith('.js') && !kept.has(name)) await rm(join(dist, name), { force: true });
  }
  await put(namesFile, JSON.stringify(names));
}

/** In one step: another process may build or read at the same time. */
async function put(file: string, content: string | Uint8Array): Promise<void> {
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, content);
  await rename(fresh, file);
}
