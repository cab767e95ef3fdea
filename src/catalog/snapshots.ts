import { assert } from '../lib/assert.ts';
import type { Store } from './store.ts';

/** The rows of one answer, kept so that its further pages come from the same moment. */
export interface Snapshot {
  readonly requestId: string;
  readonly accountId: number;
  readonly address: string;
  readonly rowCount: number;
  /** Compressed by whoever keeps it. Absent once expired. */
  readonly body: Uint8Array | undefined;
  readonly asOf: Date;
  readonly completeThrough: Date;
  readonly expiresAt: Date;
}

export interface Snapshots {
  keep(snapshot: Snapshot & { readonly body: Uint8Array }): Promise<void>;
  find(requestId: string): Promise<Snapshot | undefined>;
  /**
   * Lets go of what is expired: first its body, a day later all of it. In between an expired
   * request can be told from one that never was. Answers how many bodies went; at most a
   * thousand at a time, so that no purge holds the database for long.
   */
  purge(): Promise<number>;
}

const dayMs = 86_400_000;
const purgeLimit = 1_000;
const bodyLimitBytes = 64 * 1024 * 1024;

export function createSnapshots({ kysely, clock }: Store): Snapshots {
  return {
    async keep({ asOf, completeThrough, expiresAt, ...snapshot }) {
      assert(snapshot.body.byteLength <= bodyLimitBytes, 'a snapshot is at most 64 MiB');
      await kysely
        .insertInto('snapshots')
        .values({
          ...snapshot,
          asOfMs: asOf.getTime(),
          completeThroughMs: completeThrough.getTime(),
          expiresAtMs: expiresAt.getTime(),
        })
        .execute();
    },

    async find(requestId) {
      const row = await kysely
        .selectFrom('snapshots')
        .selectAll()
        .where('requestId', '=', requestId)
        .executeTakeFirst();
      if (!row) return undefined;
      const { body, asOfMs, completeThroughMs, expiresAtMs, ...snapshot } = row;
      return {
        ...snapshot,
        body: body === null || expiresAtMs <= clock.now() ? undefined : body,
        asOf: new Date(asOfMs),
        completeThrough: new Date(completeThroughMs),
        expiresAt: new Date(expiresAtMs),
      };
    },

    async purge() {
      const nowMs = clock.now();
      const emptied = await kysely
        .updateTable('snapshots')
        .set({ body: null })
        .where('requestId', 'in', (builder) =>
          builder
            .selectFrom('snapshots')
            .select('requestId')
            .where('expiresAtMs', '<=', nowMs)
            .where('body', 'is not', null)
            .limit(purgeLimit),
        )
        .returning('requestId')
        .execute();
      await kysely
        .deleteFrom('snapshots')
        .where('requestId', 'in', (builder) =>
          builder
            .selectFrom('snapshots')
            .select('requestId')
            .where('expiresAtMs', '<=', nowMs - dayMs)
            .limit(purgeLimit),
        )
        .execute();
      return emptied.length;
    },
  };
}
