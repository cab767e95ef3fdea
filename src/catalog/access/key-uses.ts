/** When keys were last used: to the minute, and written beside the requests, not on their way. */
import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';

const minuteMs = 60_000;
const writeEveryMs = 5_000;
const keysPerWrite = 1_000;
const rememberedKeys = 10_000;

export interface KeyUses {
  /** Writes nothing itself, and at most once a minute causes a key to be written. */
  note(keyId: number): void;
  /** Writes what waits, and ends. */
  close(): Promise<void>;
}

export function createKeyUses({ kysely, clock }: Pick<Database, 'kysely' | 'clock'>): KeyUses {
  const noted = createLruCache<number, number>(rememberedKeys);
  const waiting = new Map<number, number>();
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  function writeSoon(): void {
    cancel ??= clock.after(writeEveryMs, () => {
      cancel = undefined;
      writing = write();
    });
  }

  async function write(): Promise<void> {
    const uses = [...waiting];
    waiting.clear();
    try {
      await writeUses(kysely, uses);
    } catch {
      // The database is away, of which every other part speaks: these wait for the next time.
      for (const [keyId, atMs] of uses) if (!waiting.has(keyId)) waiting.set(keyId, atMs);
      writeSoon();
    }
  }

  return {
    note(keyId) {
      const nowMs = clock.now();
      const atMs = nowMs - (nowMs % minuteMs);
      if (noted.get(keyId) === atMs) return;
      noted.set(keyId, atMs);
      waiting.set(keyId, atMs);
      writeSoon();
    },

    async close() {
      await writing;
      if (waiting.size > 0) await write();
      cancel?.();
    },
  };
}

async function writeUses(kysely: Connection, uses: readonly [number, number][]): Promise<void> {
  for (const [lastUsedAtMs, keys] of Map.groupBy(uses, ([, atMs]) => atMs)) {
    for (let start = 0; start < keys.length; start += keysPerWrite) {
      const ids = keys.slice(start, start + keysPerWrite).map(([keyId]) => keyId);
      await kysely
        .updateTable('apiKeys')
        .set({ lastUsedAtMs })
        .where('id', 'in', ids)
        // Another node may have written a later one.
        .where(({ eb, or }) =>
          or([eb('lastUsedAtMs', 'is', null), eb('lastUsedAtMs', '<', lastUsedAtMs)]),
        )
        .execute();
    }
  }
}
