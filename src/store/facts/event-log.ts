/**
 * The events of players that report single moments and not whole stretches. Each is kept for as
 * long as a related one may come, so that no process has to remember any.
 */
import { toUtcDay } from '../../lib/time/utc-day.ts';
import type { FactStore } from '../client/store-client.ts';
import type { ErasedFilter } from '../erasure/erased-filter.ts';
import {
  type EventLog,
  type FactQuery,
  mostEventsOfRead,
  type PlayerEvent,
  type ViewName,
  type ViewWindow,
} from '../facts.ts';
import { tables } from '../tables/schema.ts';

type Operations = Pick<EventLog, 'write' | 'read' | 'beginnings' | 'count'>;

/** An event with the number of its copies; what it does not tell is empty. */
type Row = Required<PlayerEvent> & { readonly copies: number };

const columns = 'accountId, view, moment, sequence, state';
const ofViews = `event.accountId IN {accounts:Array(UInt32)} AND event.view IN {views:Array(UUID)}`;
const inWindows = `${tables.event.name} AS event INNER JOIN (
    SELECT part.1 AS view, part.2 AS fromMs, part.3 AS untilMs FROM (
      SELECT arrayJoin(arrayZip({views:Array(UUID)}, {from:Array(Int64)},
        {until:Array(Int64)})) AS part)) AS asked ON event.view = asked.view
  WHERE ${ofViews} AND event.moment BETWEEN asked.fromMs AND asked.untilMs`;

/**
 * Each event once. TRICKY: the limit comes before the grouping, which would otherwise hold millions
 * of events in the engine's memory to return a few of them.
 */
const eachOnce = (from: string) => `SELECT accountId, toString(view) AS view, moment AS momentMs,
    sequence, toString(state) AS state, min(arrival) AS arrivalMs, max(error) AS error,
    max(streamType) AS streamType, max(bitrate) AS bitrate, max(rate) AS rate, count() AS copies
  FROM (SELECT event.accountId AS accountId, event.view AS view, event.moment AS moment,
      event.sequence AS sequence, event.state AS state, event.arrival AS arrival,
      event.error AS error, event.streamType AS streamType, event.bitrate AS bitrate,
      event.rate AS rate
    FROM ${from} LIMIT ${mostEventsOfRead + 1}) GROUP BY ${columns}`;

/** `requireReady` throws while the store is not ready. */
export function createEventLog(
  store: FactStore,
  requireReady: () => void,
  erased: ErasedFilter['erased'],
): Operations {
  const select = async (name: string, sql: string, parameters: FactQuery['parameters']) => {
    requireReady();
    const rows = await store.select<Row>({ name, sql: eachOnce(sql), parameters });
    const events = rows.reduce((sum, { copies }) => sum + copies, 0);
    return events > mostEventsOfRead ? undefined : rows.map(toEvent);
  };
  return {
    async write(events) {
      requireReady();
      const gone = await erased(events);
      const kept = events.filter((event) => !gone.has(event));
      if (kept.length === 0) return;
      const rows = kept.map((event) => [
        event.accountId,
        event.view,
        event.momentMs,
        event.sequence,
        event.state,
        event.arrivalMs,
        toUtcDay(event.arrivalMs),
        event.error ?? '',
        event.streamType ?? '',
        event.bitrate ?? 0,
        event.rate ?? 0,
      ]);
      await store.insertRows(tables.event.name, rows);
    },

    read: (windows) => select('read events', inWindows, bindWindows(windows)),

    beginnings: (views) =>
      select(
        'read beginnings of views',
        `${tables.event.name} AS event WHERE ${ofViews} AND (event.state = 'counted'
          OR (event.accountId, event.view) NOT IN (SELECT event.accountId, event.view
            FROM ${tables.event.name} AS event WHERE ${ofViews} AND event.state = 'counted'))`,
        bindNames(views),
      ),

    async count(windows) {
      requireReady();
      return store.select({
        name: 'count events',
        sql: `SELECT event.accountId AS accountId, toString(event.view) AS view, count() AS events
          FROM ${inWindows} GROUP BY event.accountId, event.view`,
        parameters: bindWindows(windows),
      });
    },
  };
}

function toEvent({ copies: _, error, streamType, bitrate, rate, ...event }: Row): PlayerEvent {
  return {
    ...event,
    ...(error && { error }),
    ...(streamType && { streamType }),
    ...(bitrate && { bitrate }),
    ...(rate && { rate }),
  };
}

function bindNames(views: readonly ViewName[]) {
  const accounts = [...new Set(views.map(({ accountId }) => accountId))];
  return { accounts, views: views.map(({ view }) => view) };
}

function bindWindows(windows: readonly ViewWindow[]) {
  return {
    ...bindNames(windows),
    from: windows.map(({ fromMs }) => fromMs),
    until: windows.map(({ untilMs }) => untilMs),
  };
}
