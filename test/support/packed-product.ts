/** The packages as npm packs them out of a copy of this tree, and installs them in an empty folder. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const project = join(import.meta.dirname, '../..');
const notCopied = ['.git', '.install', 'node_modules', 'data', 'dist'];
const oldest = 10;
const newest = 12;
/** It has the schemas of CycloneDX; it reads them by the others. */
const materialsLibrary = '@cyclonedx/cyclonedx-library';
const materialsTools = [
  `${materialsLibrary}@10.3.0`,
  ...['ajv@8.20.0', 'ajv-formats@3.0.1', 'ajv-formats-draft2019@1.6.1'],
];

export interface PackedProduct {
  /** The copy that was packed. */
  readonly source: string;
  /** Paths of the files that `npm pack` made. */
  readonly tarballs: Readonly<Record<'playmeter' | 'tracker' | 'client', string>>;
  /** Of the whole product. */
  readonly bytes: { readonly packed: number; readonly unpacked: number };
  newFolder(): string;
  /** What the schema of that version of CycloneDX has against a bill of materials in JSON. */
  complaintsOf(materials: string, version: string): Promise<unknown>;
  /** Runs npm of that release; what it prints. */
  npm(release: number, folder: string, ...words: string[]): Promise<string>;
  remove(): void;
}

/** As in a terminal of the machine: without what the npm that runs the tests sets. */
export function outsideNpm(): NodeJS.ProcessEnv {
  const ours = /^npm_(lifecycle|package|command|execpath|node_execpath|config_local_prefix)/i;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  const path = (process.env.PATH ?? '').split(delimiter);
  const ofMachine = path.filter((entry) => !entry.endsWith(join('node_modules', '.bin')));
  return { ...Object.fromEntries(kept), PATH: ofMachine.join(delimiter) };
}

/** What npm says of a package that it made. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
}

export async function packProduct(): Promise<PackedProduct> {
  const place = mkdtempSync(join(tmpdir(), 'playmeter-packed-'));
  const newFolder = () => mkdtempSync(join(place, 'folder-'));
  const [source, packed, npms] = [newFolder(), newFolder(), newFolder()];
  cpSync(project, source, {
    recursive: true,
    filter: (path) => !notCopied.includes(relative(project, path)),
  });
  symlinkSync(join(project, 'node_modules'), join(source, 'node_modules'));
  const pack = async (part: string) => {
    const cwd = join(source, part);
    const words = ['pack', '--json', '--pack-destination', packed];
    const { stdout } = await execute('npm', words, { cwd, env: outsideNpm() });
    const [{ filename, size, unpackedSize }] = JSON.parse(stdout) as [Packed];
    return { file: join(packed, filename), bytes: { packed: size, unpacked: unpackedSize } };
  };
  const releases = Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index);
  writeFileSync(join(npms, 'package.json'), '{}');
  const fetching = execute(
    'npm',
    [
      ...['install', '--no-save', ...materialsTools],
      ...releases.map((release) => `npm-${release}@npm:npm@${release}`),
    ],
    { cwd: npms, env: outsideNpm() },
  );
  // Each builds what others pack too, so one after the other.
  const packAll = async () =>
    [await pack('.'), await pack('client'), await pack('tracker')] as const;
  const [[playmeter, client, tracker]] = await Promise.all([packAll(), fetching]);
  return {
    source,
    newFolder,
    tarballs: { playmeter: playmeter.file, client: client.file, tracker: tracker.file },
    bytes: playmeter.bytes,
    async complaintsOf(materials, version) {
      const require = createRequire(join(npms, 'package.json'));
      const { Validation } = require(materialsLibrary);
      return new Validation.JsonStrictValidator(version).validate(materials);
    },
    async npm(release, folder, ...words) {
      const cli = join(npms, `node_modules/npm-${release}/bin/npm-cli.js`);
      const ended = await execute(process.execPath, [cli, ...words], {
        cwd: folder,
        env: outsideNpm(),
        maxBuffer: 16 * 1_048_576,
      });
      return ended.stdout;
    },
    remove: () => rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}
