/** "A PostgreSQL table and a cron job": default durability, an upsert for duplicates. */
import pg from 'pg';
import { type EventStore, type ReceivedBeacon, rivalIds, systemOf } from './events.ts';

export type { EventStore } from './events.ts';

const connections = 16;

export const postgresTables = `
  CREATE TABLE IF NOT EXISTS events (
    account_id integer NOT NULL,
    package_id integer NOT NULL,
    video_id integer NOT NULL,
    view text NOT NULL,
    stretch integer NOT NULL,
    at timestamptz NOT NULL,
    play_ms integer NOT NULL,
    os text NOT NULL,
    os_version text NOT NULL,
    PRIMARY KEY (view, stretch)
  );
  CREATE INDEX IF NOT EXISTS events_account ON events (account_id, at);
  CREATE TABLE IF NOT EXISTS hourly (
    account_id integer NOT NULL,
    hour timestamptz NOT NULL,
    package_id integer NOT NULL,
    video_id integer NOT NULL,
    os text NOT NULL,
    os_version text NOT NULL,
    plays bigint NOT NULL,
    play_ms bigint NOT NULL,
    PRIMARY KEY (account_id, hour, package_id, video_id, os, os_version)
  );
  CREATE INDEX IF NOT EXISTS hourly_package ON hourly (account_id, package_id, hour);
  CREATE INDEX IF NOT EXISTS hourly_video ON hourly (account_id, video_id, hour)`;

/** The cron job: all hours from `since` on are summed anew. */
export const refreshPostgresHourly = `
  INSERT INTO hourly
  SELECT account_id, date_trunc('hour', at), package_id, video_id, os, os_version,
    count(*) FILTER (WHERE stretch = 0), sum(play_ms)
  FROM events WHERE at >= $1
  GROUP BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (account_id, hour, package_id, video_id, os, os_version)
  DO UPDATE SET plays = excluded.plays, play_ms = excluded.play_ms`;

const insert = `
  INSERT INTO events
  SELECT $1, $2, $3, beacon.*, $8, $9
  FROM unnest($4::text[], $5::integer[], $6::timestamptz[], $7::integer[]) AS beacon
  ON CONFLICT (view, stretch)
  DO UPDATE SET play_ms = greatest(events.play_ms, excluded.play_ms)`;

export async function openPostgresEvents(address: string): Promise<EventStore> {
  const pool = new pg.Pool({ connectionString: address, max: connections });
  await pool.query(postgresTables);
  return {
    async write(beacons: readonly ReceivedBeacon[], userAgent: string) {
      const { os, osVersion } = systemOf(userAgent);
      const { accountId, packageId, videoId } = rivalIds;
      await pool.query({
        name: 'insert-events',
        text: insert,
        values: [
          accountId,
          packageId,
          videoId,
          beacons.map(({ view }) => view),
          beacons.map(({ stretch }) => stretch),
          beacons.map(({ at }) => at),
          beacons.map(({ playMs }) => playMs),
          os,
          osVersion,
        ],
      });
    },
  };
}
