/**
 * Writes an export into a place: its files first, the manifest last. Without a manifest there is no
 * export. Run again, it replaces the days of its range and keeps those before and after.
 */
import type { Readable } from 'node:stream';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { Fault } from '../../vocabulary/faults.ts';
import type { Place, WriteOptions } from '../storage/storage-target.ts';

export const exportManifestName = 'manifest.json';
/** What the manifest was, while files are replaced. */
const unfinishedName = 'unfinished.json';

const count = Type.Integer({ minimum: 0 });
const ExportManifest = Type.Object({
  format: Type.Literal(1),
  /** What was asked for: another export does not go into the same place. */
  export: Type.Record(Type.String(), Type.Unknown()),
  files: Type.Array(
    Type.Object({
      path: Type.String({ pattern: '^(dt=\\d{4}-\\d\\d-\\d\\d/)?[a-z]+\\.[a-z]+$' }),
      rows: count,
      bytes: count,
      sha256: Type.String(),
    }),
  ),
});
export type ExportManifest = Static<typeof ExportManifest>;

export interface ExportFile {
  /** yyyy-mm-dd; undefined: not of a day. */
  readonly day: string | undefined;
  /** Files without rows are not written. */
  open(): Promise<{ readonly rows: number; readonly bytes: Readable }>;
}

export interface Export {
  /** Without its range. */
  readonly about: Readonly<Record<string, unknown>>;
  /** Such as `facts.csv`. */
  readonly fileName: string;
  /** The days that are written, both included; undefined: open at that end. */
  readonly firstDay: string | undefined;
  readonly lastDay: string | undefined;
  readonly files: readonly ExportFile[];
}

interface ExportOptions extends Pick<WriteOptions, 'signal' | 'confirm'> {
  /** Gets the share that is done, from 0 to 1. */
  readonly noteProgress: (share: number) => void;
}

/** Rejects with CONFLICT if something else is in the place. */
export async function writeExport(
  place: Place,
  { about, fileName, firstDay, lastDay, files }: Export,
  { signal, confirm, noteProgress }: ExportOptions,
): Promise<ExportManifest> {
  const before = await readBefore(place, about);
  await place.writeText(unfinishedName, formatManifest(before), confirm);
  await place.remove(exportManifestName, confirm);
  const written: ExportManifest['files'] = [];
  for (const [index, { day, open }] of files.entries()) {
    signal.throwIfAborted();
    const { rows, bytes } = await opened(open(), signal);
    const path = day === undefined ? fileName : `dt=${day}/${fileName}`;
    if (rows === 0 && day !== undefined) bytes.destroy();
    else written.push({ path, rows, ...(await place.write(path, bytes, { signal, confirm })) });
    noteProgress((index + 1) / files.length);
  }
  const isReplaced = (path: string) => {
    const [, day] = /^dt=([\d-]+)/.exec(path) ?? [];
    if (day === undefined) return true;
    return (firstDay === undefined || day >= firstDay) && (lastDay === undefined || day <= lastDay);
  };
  const kept = before.files.filter(({ path }) => !isReplaced(path));
  const paths = new Set(written.map(({ path }) => path));
  for (const { path } of before.files) {
    if (isReplaced(path) && !paths.has(path)) await place.remove(path, confirm);
  }
  const all = [...kept, ...written].sort((one, other) => (one.path < other.path ? -1 : 1));
  const manifest: ExportManifest = { format: 1, export: { ...about }, files: all };
  await place.writeText(exportManifestName, formatManifest(manifest), confirm);
  await place.remove(unfinishedName, confirm);
  return manifest;
}

/** Breaking off does not wait for a store that hangs. */
async function opened(
  opening: ReturnType<ExportFile['open']>,
  signal: AbortSignal,
): ReturnType<ExportFile['open']> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener('abort', end);
  try {
    return await Promise.race([opening, aborted]);
  } catch (error) {
    void opening.then(
      ({ bytes }) => bytes.destroy(),
      () => {},
    );
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** The days (yyyy-mm-dd) of the export that is there, or was before it was begun again. */
export async function exportedDays(place: Place, about: Export['about']): Promise<string[]> {
  const { files } = await readBefore(place, about);
  return files.flatMap(({ path }) => /^dt=([\d-]+)/.exec(path)?.[1] ?? []);
}

/** The export that is there, or was before it was begun to be written again. */
async function readBefore(place: Place, about: Export['about']): Promise<ExportManifest> {
  const text = (await place.readText(exportManifestName)) ?? (await place.readText(unfinishedName));
  if (text === undefined) {
    if ((await place.names()).length === 0) return { format: 1, export: { ...about }, files: [] };
    throw new Fault('CONFLICT', `${place.location} is not empty: name another place`);
  }
  const manifest = parsed(text);
  if (!Value.Check(ExportManifest, manifest)) {
    throw new Fault('CONFLICT', `${place.location} has something other than an export`);
  }
  if (JSON.stringify(manifest.export) !== JSON.stringify(about)) {
    throw new Fault('CONFLICT', `${place.location} has another export: name another place`);
  }
  return manifest;
}

function formatManifest(manifest: ExportManifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
