import { accept } from '../../lib/result.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import type { DeliveryChannel } from '../../wire/management/deliveries.ts';
import type { Attempt, ClaimedDelivery, Deliveries, Delivery, UnderWay } from '../alerts.ts';
import { noteChange } from '../audit/change-entry.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows } from '../database/row-locks.ts';
import { refused } from '../refusal.ts';

const keptDeliveries = 1_000;
const keptMs = 30 * dayMs;
/**
 * Attempted side by side by one process. All mails go to one server: when it hangs, it keeps no
 * place from a webhook.
 */
const attemptedAtOnce: Readonly<Record<DeliveryChannel, number>> = { webhook: 20, mail: 10 };
/** Of each of these: a receiver that never answers keeps no more places from other accounts. */
const attemptedOfAccount = 2;
const portionRows = 100;
const shownError = 300;

export function createDeliveries(database: Database): Deliveries {
  const { kysely, clock } = database;
  return {
    async list(accountId, { subject, ruleId, state }) {
      let query = selectDeliveries(kysely).where('accountId', '=', accountId);
      if (subject) query = query.where('subject', '=', subject);
      if (ruleId !== undefined) query = query.where('ruleId', '=', ruleId);
      if (state) query = query.where('state', '=', state);
      const rows = await query.orderBy('id', 'desc').limit(keptDeliveries).execute();
      return rows.map(toDelivery);
    },

    async find({ accountId, deliveryId }) {
      const row = await kysely
        .selectFrom('deliveries')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('id', '=', deliveryId)
        .executeTakeFirst();
      return row && { ...toDelivery(row), body: row.body };
    },

    claim: createClaim(database),

    settle: (claimed, attempt) => settle(database, claimed, attempt),

    replay: createReplay(database),

    async purge() {
      const old = kysely
        .selectFrom('deliveries')
        .select('id')
        .where('createdAtMs', '<', clock.now() - keptMs)
        .limit(portionRows);
      const { numDeletedRows } = await kysely
        .deleteFrom('deliveries')
        .where('id', 'in', old)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

function createClaim(database: Database): Deliveries['claim'] {
  const { kysely, clock } = database;
  return (underWay = []) =>
    inTransaction(kysely, async (connection) => {
      const nowMs = clock.now();
      const selectDue = (channel: DeliveryChannel) =>
        connection
          .selectFrom('deliveries')
          .selectAll()
          .where('id', 'in', selectTurns(connection, channel, underWay, nowMs))
          .where('state', '=', 'waiting')
          .where('nextAtMs', '<=', nowMs)
          .orderBy('nextAtMs')
          .orderBy('id');
      // What another node claims at this moment is, once it has, no longer due.
      const rows = [
        ...(await lockRows(database, selectDue('webhook'))),
        ...(await lockRows(database, selectDue('mail'))),
      ];
      const claimed: ClaimedDelivery[] = [];
      for (const row of rows) {
        const attempts = row.attempts + 1;
        const changes = {
          ...{ attempts, attemptedAtMs: nowMs, nextAtMs: nowMs + backOffMs(attempts, row.channel) },
          // Stays if this process dies before it knows.
          ...{ status: null, error: 'the service stopped before the answer' },
        };
        await connection.updateTable('deliveries').set(changes).where('id', '=', row.id).execute();
        const rule = await connection
          .selectFrom('rules')
          .select('sealedSecret')
          .where('id', '=', row.ruleId)
          .executeTakeFirst();
        const account = await connection
          .selectFrom('accounts')
          .select('name')
          .where('id', '=', row.accountId)
          .executeTakeFirstOrThrow();
        claimed.push({
          ...{ ...toDelivery({ ...row, ...changes }), body: row.body },
          ...{ sealedSecret: rule?.sealedSecret ?? undefined, accountName: account.name },
        });
      }
      return claimed;
    });
}

/** The first that is due of each account that has a place left, and then the second of each. */
function selectTurns(
  connection: Connection,
  channel: DeliveryChannel,
  underWay: readonly UnderWay[],
  nowMs: number,
) {
  const accounts = underWay.filter((one) => one.channel === channel).map((one) => one.accountId);
  const due = connection
    .selectFrom('deliveries')
    .select(({ fn }) => [
      ...(['id', 'accountId', 'nextAtMs'] as const),
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('accountId').orderBy('nextAtMs').orderBy('id'))
        .as('turn'),
    ])
    .where('channel', '=', channel)
    .where('state', '=', 'waiting')
    .where('nextAtMs', '<=', nowMs)
    .where('accountId', 'in', (builder) =>
      builder.selectFrom('accounts').select('id').where('closedAtMs', 'is', null),
    )
    .as('due');
  let query = connection.selectFrom(due).select('id').where('turn', '<=', attemptedOfAccount);
  for (const accountId of new Set(accounts)) {
    const taken = accounts.filter((one) => one === accountId).length;
    const left = attemptedOfAccount - taken;
    query = query.where(({ or, eb }) =>
      or([eb('accountId', '!=', accountId), eb('turn', '<=', left)]),
    );
  }
  return query
    .orderBy('turn')
    .orderBy('nextAtMs')
    .orderBy('id')
    .limit(Math.max(0, attemptedAtOnce[channel] - accounts.length));
}

async function settle(
  { kysely }: Database,
  { deliveryId, attempts, attemptedAt }: ClaimedDelivery,
  { isDelivered, isFinal, status, error }: Attempt,
): ReturnType<Deliveries['settle']> {
  const isOver = isFinal || attempts >= mostAttempts;
  const state = isDelivered ? 'delivered' : isOver ? 'failed' : 'waiting';
  await kysely
    .updateTable('deliveries')
    .set({ state, status: status ?? null, error: error?.slice(0, shownError) ?? null })
    .where('id', '=', deliveryId)
    .where('state', '=', 'waiting')
    // Not if it was replayed, or attempted again, meanwhile.
    .where('attempts', '=', attempts)
    .where('attemptedAtMs', '=', attemptedAt?.getTime() ?? 0)
    .execute();
  return state;
}

function createReplay(database: Database): Deliveries['replay'] {
  const { kysely, clock } = database;
  return ({ accountId, deliveryId }) =>
    inTransaction(kysely, async (connection) => {
      const before = await selectDeliveries(connection)
        .where('accountId', '=', accountId)
        .where('id', '=', deliveryId)
        .executeTakeFirst();
      if (!before) return refused('NO_DELIVERY');
      const rule = await connection
        .selectFrom('rules')
        .select('id')
        .where('accountId', '=', accountId)
        .where('id', '=', before.ruleId)
        .executeTakeFirst();
      if (!rule) return refused('RULE_DELETED');
      const changes = { state: 'waiting' as const, attempts: 0, nextAtMs: clock.now() };
      await connection
        .updateTable('deliveries')
        .set(changes)
        .where('id', '=', deliveryId)
        .execute();
      await noteChange(database, connection, {
        ...{ accountId, action: 'DELIVERY_REPLAYED', object: deliveryId },
        after: { messageId: before.messageId, type: before.type },
      });
      return accept(toDelivery({ ...before, ...changes }));
    });
}

/** The log of an account is bounded: the oldest make room, even if they still wait. */
export async function keepNewest(connection: Connection, accountId: number): Promise<void> {
  const oldest = await connection
    .selectFrom('deliveries')
    .select('id')
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .offset(keptDeliveries)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await connection
    .deleteFrom('deliveries')
    .where('accountId', '=', accountId)
    .where('id', '<=', oldest.id)
    .execute();
}

const columns = [
  ...(['id', 'accountId', 'ruleId', 'subject', 'messageId', 'channel', 'receiver'] as const),
  ...(['type', 'state', 'attempts', 'nextAtMs', 'createdAtMs', 'attemptedAtMs'] as const),
  ...(['status', 'error'] as const),
];

/** Without the bodies. */
function selectDeliveries(connection: Connection) {
  return connection.selectFrom('deliveries').select(columns);
}

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['execute']>>[number];

export function toDelivery(row: DeliveryRow): Delivery {
  const { accountId, ruleId, subject, messageId, channel, receiver, type, state } = row;
  return {
    ...{ deliveryId: row.id, accountId, ruleId, subject, messageId, channel, receiver, type },
    ...{ state, attempts: row.attempts, createdAt: new Date(row.createdAtMs) },
    attemptedAt: row.attemptedAtMs === null ? undefined : new Date(row.attemptedAtMs),
    nextAttemptAt: state === 'waiting' ? new Date(row.nextAtMs) : undefined,
    status: row.status ?? undefined,
    error: row.error ?? undefined,
  };
}

/** When a message is attempted again, as Standard Webhooks advises: soon, then ever later. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * After the first attempt. Longer than an attempt may take: until then a message that a process
 * claimed is nobody else's.
 */
const firstPauseMs: Readonly<Record<DeliveryChannel, number>> = {
  webhook: minuteMs,
  mail: 3 * minuteMs,
};

const laterPausesMs = [
  ...[5 * minuteMs, 30 * minuteMs],
  ...[2 * hourMs, 5 * hourMs, 10 * hourMs, 14 * hourMs],
];

/** The first one included. */
const mostAttempts = laterPausesMs.length + 2;

/** Between an attempt and the next; `attempts`: how many there were. */
export function backOffMs(attempts: number, channel: DeliveryChannel): number {
  const pausesMs = [firstPauseMs[channel], ...laterPausesMs];
  return pausesMs[Math.min(Math.max(attempts, 1), pausesMs.length) - 1] ?? hourMs;
}
