/**
 * The events of players that report single moments and not whole stretches. Each is kept for as
 * long as a related one may come, so that no process has to remember any.
 */
import { utcDayOf } from '../lib/utc-day.ts';
import type { FactStore } from './fact-store.ts';
import { type EventLog, mostEventsOfView } from './facts.ts';
import { tables } from './schema.ts';

type Operations = Pick<EventLog, 'write' | 'read' | 'beginnings'>;

/** One too many shows that there are too many. */
const mostEventsRead = mostEventsOfView + 1;
const columns = 'view, moment, sequence, state';
const selected = `toString(event.view) AS view, event.moment AS momentMs,
  event.sequence AS sequence, toString(event.state) AS state, event.accountId AS accountId`;

/** `requireReady` throws while the store is not ready. */
export function createEventLog(store: FactStore, requireReady: () => void): Operations {
  return {
    async write(events) {
      requireReady();
      const rows = events.map((event) => [
        event.accountId,
        event.view,
        event.momentMs,
        event.sequence,
        event.state,
        event.arrivalMs,
        utcDayOf(event.arrivalMs),
      ]);
      await store.insertRows(tables.event.name, rows);
    },

    async read(windows) {
      requireReady();
      return store.select({
        name: 'read events',
        sql: `WITH asked AS (
            SELECT part.1 AS view, part.2 AS fromMs, part.3 AS untilMs FROM (
              SELECT arrayJoin(arrayZip({views:Array(UUID)}, {from:Array(Int64)},
                {until:Array(Int64)})) AS part))
          SELECT ${selected}, min(event.arrival) AS arrivalMs
          FROM ${tables.event.name} AS event INNER JOIN asked ON event.view = asked.view
          WHERE event.accountId IN {accounts:Array(UInt32)} AND event.view IN {views:Array(UUID)}
            AND event.moment BETWEEN asked.fromMs AND asked.untilMs
          GROUP BY accountId, ${columns}
          LIMIT ${mostEventsRead} BY accountId, view`,
        parameters: {
          accounts: distinct(windows.map(({ accountId }) => accountId)),
          views: windows.map(({ view }) => view),
          from: windows.map(({ fromMs }) => fromMs),
          until: windows.map(({ untilMs }) => untilMs),
        },
      });
    },

    async beginnings(views) {
      requireReady();
      return store.select({
        name: 'read beginnings of views',
        sql: `SELECT * EXCEPT (hasSign, isCounted) FROM (
          SELECT ${selected}, min(event.arrival) AS arrivalMs,
            max(state IN ('playing', 'started')) OVER (PARTITION BY view) AS hasSign,
            max(state = 'counted') OVER (PARTITION BY view) AS isCounted
          FROM ${tables.event.name} AS event
          WHERE event.accountId IN {accounts:Array(UInt32)} AND event.view IN {views:Array(UUID)}
          GROUP BY accountId, ${columns})
        WHERE if(isCounted, state = 'counted', hasSign)
        ORDER BY arrivalMs
        LIMIT ${mostEventsRead} BY accountId, view`,
        parameters: {
          accounts: distinct(views.map(({ accountId }) => accountId)),
          views: views.map(({ view }) => view),
        },
      });
    },
  };
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
