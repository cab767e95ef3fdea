/** When keys and sessions were last used: to the minute, and written beside the requests. */
import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';

const minuteMs = 60_000;
const writeEveryMs = 5_000;
const idsPerWrite = 1_000;
const rememberedIds = 10_000;

interface Uses {
  /** Writes nothing itself, and at most once a minute causes an id to be written. */
  note(id: number): void;
  /** Writes what waits, and ends. */
  close(): Promise<void>;
}

export interface CatalogUses {
  readonly keys: Uses;
  /** Those of people. */
  readonly sessions: Uses;
}

type Write = (kysely: Connection, ids: readonly number[], atMs: number) => Promise<void>;

export function toMinute(atMs: number): number {
  return atMs - (atMs % minuteMs);
}

export function createCatalogUses(database: Pick<Database, 'kysely' | 'clock'>): CatalogUses {
  return {
    keys: createUses(database, writeKeys),
    sessions: createUses(database, writeSessions),
  };
}

function createUses({ kysely, clock }: Pick<Database, 'kysely' | 'clock'>, write: Write): Uses {
  const noted = createLruCache<number, number>(rememberedIds);
  const waiting = new Map<number, number>();
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  function writeSoon(): void {
    cancel ??= clock.after(writeEveryMs, () => {
      cancel = undefined;
      writing = writeWaiting();
    });
  }

  async function writeWaiting(): Promise<void> {
    const uses = [...waiting];
    waiting.clear();
    try {
      for (const [atMs, together] of Map.groupBy(uses, ([, atMs]) => atMs)) {
        for (let start = 0; start < together.length; start += idsPerWrite) {
          const ids = together.slice(start, start + idsPerWrite).map(([id]) => id);
          await write(kysely, ids, atMs);
        }
      }
    } catch {
      // The database is away, of which every other part speaks: these wait for the next time.
      for (const [id, atMs] of uses) if (!waiting.has(id)) waiting.set(id, atMs);
      writeSoon();
    }
  }

  return {
    note(id) {
      const atMs = toMinute(clock.now());
      if (noted.get(id) === atMs) return;
      noted.set(id, atMs);
      waiting.set(id, atMs);
      writeSoon();
    },

    async close() {
      await writing;
      if (waiting.size > 0) await writeWaiting();
      cancel?.();
    },
  };
}

/* Another node may have written a later use. */

async function writeKeys(kysely: Connection, ids: readonly number[], atMs: number): Promise<void> {
  await kysely
    .updateTable('apiKeys')
    .set({ lastUsedAtMs: atMs })
    .where('id', 'in', ids)
    .where(({ eb, or }) => or([eb('lastUsedAtMs', 'is', null), eb('lastUsedAtMs', '<', atMs)]))
    .execute();
}

async function writeSessions(
  kysely: Connection,
  ids: readonly number[],
  atMs: number,
): Promise<void> {
  await kysely
    .updateTable('sessions')
    .set({ usedAtMs: atMs })
    .where('id', 'in', ids)
    .where(({ eb, or }) => or([eb('usedAtMs', 'is', null), eb('usedAtMs', '<', atMs)]))
    .execute();
  await kysely
    .updateTable('people')
    .set({ lastSeenAtMs: atMs })
    .where('id', 'in', (builder) =>
      builder
        .selectFrom('sessions')
        .select('personId')
        .where('id', 'in', ids)
        .where('personId', 'is not', null)
        .$castTo<{ personId: number }>(),
    )
    .where(({ eb, or }) => or([eb('lastSeenAtMs', 'is', null), eb('lastSeenAtMs', '<', atMs)]))
    .execute();
}
