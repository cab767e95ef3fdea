/** What a backup consists of. It is written last: without it there is no backup. */
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { CatalogMark } from '../../catalog/catalog.ts';
import { Fault } from '../../vocabulary/faults.ts';

export const manifestName = 'manifest.json';
export const formatVersion = 1;

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const BackupFile = Type.Object({
  /** Inside the backup; never leads out of it. */
  path: Type.String({ pattern: '^(?!.*(^|/)\\.\\.?(/|$))[^/\\\\][^\\\\]*$' }),
  bytes: count,
  sha256: hash,
  /** The earlier backup that has the file; absent: this one. */
  from: Type.Optional(Type.String({ minLength: 1 })),
});
export type BackupFile = Static<typeof BackupFile>;

/** See CatalogMark. */
const Mark = Type.Object({
  ...{ beganAtMs: count, accounts: count, packages: count },
  ...{ videos: count, publications: count, changes: count },
});

const Manifest = Type.Object({
  format: Type.Literal(formatVersion),
  /** The releases that made it: of the service, and of the engine. */
  playmeter: Type.String(),
  engine: Type.String(),
  createdAt: Type.String(),
  /** What was acknowledged before this instant is in it. */
  completeThrough: Type.String(),
  /** Whether the secret is in it; it is not if APP_SECRET was set. */
  hasSecret: Type.Boolean(),
  tables: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z_]+$' }),
      create: Type.String(),
      rows: count,
      parts: Type.Array(Type.String({ pattern: '^[\\w-]+$' })),
    }),
  ),
  /** The state of a catalog in PostgreSQL, which is not among the files; absent: it is. */
  catalogMark: Type.Optional(Mark),
  files: Type.Array(BackupFile),
});
export type Manifest = Static<typeof Manifest>;

export function writeManifest(manifest: Manifest): string {
  return `${JSON.stringify({ sha256: hashManifest(manifest), manifest })}\n`;
}

/** Refuses what differs by a byte from what was written. */
export function readManifest(text: string, location: string): Manifest {
  const manifest = parse(text)?.manifest as Manifest | undefined;
  if ((manifest as { format?: unknown } | undefined)?.format !== undefined) {
    const { format } = manifest as { format: unknown };
    if (typeof format === 'number' && format > formatVersion) {
      throw new Fault('CONFLICT', `A later release made the backup ${location}: use that one`);
    }
  }
  if (!Value.Check(Manifest, manifest) || writeManifest(manifest) !== text) {
    throw new Fault('CONFLICT', `The manifest of the backup ${location} is damaged`);
  }
  return manifest;
}

function parse(text: string): { manifest?: unknown } | undefined {
  try {
    return JSON.parse(text) as { manifest?: unknown };
  } catch {
    return undefined;
  }
}

function hashManifest(manifest: Manifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}

/** Why a catalog does not go with facts that were taken at this mark; undefined if it does. */
export function whyUnfit(mark: CatalogMark, found: CatalogMark): string | undefined {
  if (found.beganAtMs !== mark.beganAtMs) return 'it is another catalog';
  const counts = ['accounts', 'packages', 'videos', 'publications', 'changes'] as const;
  const behind = counts.find((name) => found[name] < mark[name]);
  return behind && `it is older than the backup: it lacks ${behind}`;
}
