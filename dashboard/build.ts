/**
 * Builds the dashboard into `dist/`, which the service serves and the package ships.
 * scripts/run.mjs runs it after installing, and whenever the sources have changed.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { dashboardStamp, digestOfDashboardSources } from './built-from.mjs';
import { plainFrames } from './plain-frame.ts';

const own = import.meta.dirname;
const dist = join(own, 'dist');
const assets = join(dist, 'assets');

/** What the first view loads, gzipped, in all; test/browser/dashboard-size.test.ts enforces it. */
export const firstViewLimitGzipBytes = 150 * 1_024;

const usual = {
  write: false,
  metafile: true,
  minify: true,
  outdir: assets,
  entryNames: '[name]-[hash]',
  legalComments: 'none',
  charset: 'utf8',
  platform: 'browser',
  target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
  // The server's own tsconfig is not the browser's; nothing in it may reach the output.
  tsconfigRaw: {},
} as const satisfies BuildOptions;

if (import.meta.main) await buildDashboard();

async function buildDashboard(): Promise<void> {
  const digest = digestOfDashboardSources();
  const [app, plain] = await Promise.all([bundle(), bundlePlain()]);
  await mkdir(assets, { recursive: true });
  const kept = new Set<string>();
  for (const { path, contents } of [...app.outputFiles, ...plain.outputFiles]) {
    const file = join(assets, basename(path));
    const packed = { '.gz': await promisify(gzip)(contents, { level: 9 }) };
    const forms = { '': contents, ...packed, '.br': await promisify(brotliCompress)(contents) };
    for (const [ending, bytes] of Object.entries(forms)) {
      await put(file + ending, bytes);
      kept.add(basename(file + ending));
    }
  }
  const frames = { head: plainHead(plain.metafile), frames: plainFrames() };
  await put(join(dist, 'plain-frames.json'), JSON.stringify(frames));
  await put(join(dist, 'index.html'), await pageOf(app.metafile));
  for (const name of await readdir(assets)) if (!kept.has(name)) await rm(join(assets, name));
  await put(dashboardStamp, digest);
}

function bundle() {
  return build({
    entryPoints: [join(own, 'src/main.tsx')],
    bundle: true,
    // Pages load when they are opened.
    splitting: true,
    format: 'esm',
    chunkNames: '[name]-[hash]',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    ...usual,
  });
}

/** For pages that have the frame alone. No module: it runs before anything is drawn. */
function bundlePlain() {
  return build({
    entryPoints: [join(own, 'src/plain-page.ts')],
    bundle: true,
    format: 'iife',
    ...usual,
  });
}

/** The page with the names of this build in it. */
async function pageOf({ outputs }: Metafile): Promise<string> {
  // Pages that load when they are opened are entries too.
  const entry = Object.entries(outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith('src/main.tsx'),
  );
  if (!entry) throw new Error('esbuild gave no output for main.tsx');
  const [script, { cssBundle = '', imports }] = entry;
  const needed = imports.filter(({ kind }) => kind === 'import-statement');
  const tags = [
    `<link rel="stylesheet" href="${address(cssBundle)}">`,
    ...needed.map(({ path }) => `<link rel="modulepreload" href="${address(path)}">`),
    `<script type="module" src="${address(script)}"></script>`,
  ];
  const page = await readFile(join(own, 'index.html'), 'utf8');
  return page.replace('<!-- assets -->', tags.join('\n    '));
}

function plainHead({ outputs }: Metafile): string {
  const [entry] = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  if (!entry) throw new Error('esbuild gave no output for plain-page.ts');
  const [script, { cssBundle = '' }] = entry;
  return `<link rel="stylesheet" href="${address(cssBundle)}">
<script src="${address(script)}"></script>`;
}

function address(path: string): string {
  return `/dashboard-assets/${basename(path)}`;
}

/** In one step: another process may build or read at the same time. */
async function put(file: string, content: string | Uint8Array): Promise<void> {
  const fresh = join(dirname(file), `.${basename(file)}.${process.pid}`);
  await writeFile(fresh, content);
  await rename(fresh, file);
}
