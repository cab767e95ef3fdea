/**
 * Builds the tracker's forms into `dist/`, which the service serves and the package ships.
 * scripts/run.mjs runs it after installing, and whenever the sources have changed.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { minify } from 'uglify-js';
import { digestOfSources, stampOf } from './built-from.mjs';

/** The size budget of tracker.js and of tracker.mjs; test/browser/tracker-size.test.ts has it. */
export const trackerLimitGzipBytes = 4_710;

/** Members of the tracker's own objects, made short; not those that pages or the server know. */
const ownNames =
  'look beaconOf put take settle keep adopt learn flush online all rate hasEnd playing ' +
  'address said givenName description transport post refused failed store ' +
  'clock wanted counts byItself sought dry empty early';
const ownMembers = new RegExp(`Ms$|Seconds$|^(?:${ownNames.replaceAll(' ', '|')})$`);
const knownMembers = /^(?:playMs|mediaMs|waitMs|heartbeatMs)$/;

if (import.meta.main) await buildTracker();

async function buildTracker(): Promise<void> {
  const digest = digestOfSources();
  const dist = join(import.meta.dirname, 'dist');
  await mkdir(dist, { recursive: true });
  await put(join(dist, 'tracker.js'), await bundle('script-tag.ts', 'iife'));
  await put(join(dist, 'tracker.es2015.js'), await bundleForOlderBrowsers());
  await put(join(dist, 'tracker.mjs'), await bundle('index.ts', 'esm'));
  await put(join(dist, 'react.mjs'), await bundleForReact());
  for (const player of ['hlsjs', 'dashjs', 'shaka', 'videojs']) {
    const adapter = await bundled(`../adapters/${player}.ts`, { format: 'esm' });
    await put(join(dist, `${player}.mjs`), adapter);
  }
  await put(stampOf(), digest);
}

/** In one step: another process may build or read at the same time. */
async function put(file: string, text: string): Promise<void> {
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, text);
  await rename(fresh, file);
}

async function bundle(
  entry: string,
  format: 'iife' | 'esm',
  options: BuildOptions = {},
): Promise<string> {
  const names = { mangleProps: ownMembers, reserveProps: knownMembers };
  const text = await bundled(entry, { format, ...names, ...options });
  // A twentieth less, gzipped: it inlines functions and gives the same letters to more variables.
  const passes = 6;
  const { code, error } = minify(text, { module: format === 'esm', compress: { passes } });
  if (error) throw error;
  return code;
}

/** For televisions of 2018, whose browsers are of 2016. */
async function bundleForOlderBrowsers(): Promise<string> {
  const inject = [join(import.meta.dirname, 'src/older-browsers.ts')];
  const text = await bundle('script-tag.ts', 'iife', { target: 'es2015', inject });
  // esbuild writes `{ ...a, b }` with this function, which is of ES2017.
  const newer = 'Object.getOwnPropertyDescriptors';
  const older =
    '(o=>Object.keys(o).reduce((d,k)=>(d[k]=Object.getOwnPropertyDescriptor(o,k),d),{}))';
  if (!text.includes(newer)) throw new Error(`esbuild no longer needs ${newer}`);
  return text.replace(newer, older);
}

/** The tracker itself and React are imported: a page has one of each. */
function bundleForReact(): Promise<string> {
  const importTracker: Plugin = {
    name: 'import the tracker',
    setup({ onResolve }) {
      onResolve({ filter: /\/track\.ts$/ }, () => ({ path: './tracker.mjs', external: true }));
    },
  };
  // Where servers render pages, it says that this part runs in the browser.
  const banner = { js: '"use client";' };
  return bundled('react.ts', {
    format: 'esm',
    external: ['react'],
    plugins: [importTracker],
    banner,
  });
}

async function bundled(entry: string, options: BuildOptions): Promise<string> {
  const { outputFiles = [] } = await build({
    entryPoints: [join(import.meta.dirname, 'src', entry)],
    bundle: true,
    write: false,
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    platform: 'browser',
    target: 'es2019',
    ...options,
    // The server's own tsconfig is not the browser's; nothing in it may reach the output.
    tsconfigRaw: {},
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`esbuild gave no output for ${entry}`);
  return file.text;
}
