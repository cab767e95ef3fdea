/** The same in SQLite: write-ahead log, each request's transaction durable before the answer. */
import Database from 'better-sqlite3';
import { type EventStore, rivalIds, systemOf } from './events.ts';

export const sqliteTables = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS events (
    account_id INTEGER NOT NULL,
    package_id INTEGER NOT NULL,
    video_id INTEGER NOT NULL,
    view TEXT NOT NULL,
    stretch INTEGER NOT NULL,
    at INTEGER NOT NULL,
    play_ms INTEGER NOT NULL,
    os TEXT NOT NULL,
    os_version TEXT NOT NULL,
    PRIMARY KEY (view, stretch)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS events_account ON events (account_id, at);
  CREATE TABLE IF NOT EXISTS hourly (
    account_id INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    package_id INTEGER NOT NULL,
    video_id INTEGER NOT NULL,
    os TEXT NOT NULL,
    os_version TEXT NOT NULL,
    plays INTEGER NOT NULL,
    play_ms INTEGER NOT NULL,
    PRIMARY KEY (account_id, hour, package_id, video_id, os, os_version)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS hourly_package ON hourly (account_id, package_id, hour);
  CREATE INDEX IF NOT EXISTS hourly_video ON hourly (account_id, video_id, hour);`;

/** The cron job: all hours from `since` (ms) on are summed anew. */
export const refreshSqliteHourly = `
  INSERT OR REPLACE INTO hourly
  SELECT account_id, at / 3600000 * 3600000, package_id, video_id, os, os_version,
    count(*) FILTER (WHERE stretch = 0), sum(play_ms)
  FROM events WHERE at >= ?
  GROUP BY 1, 2, 3, 4, 5, 6`;

export function openSqliteEvents(file: string): EventStore {
  const database = new Database(file);
  database.exec(sqliteTables);
  const insert = database.prepare(`
    INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (view, stretch) DO UPDATE SET play_ms = max(play_ms, excluded.play_ms)`);
  const { accountId, packageId, videoId } = rivalIds;
  return {
    async write(beacons, userAgent) {
      const { os, osVersion } = systemOf(userAgent);
      database.transaction(() => {
        for (const { view, stretch, at, playMs } of beacons) {
          const atMs = Date.parse(at);
          insert.run(accountId, packageId, videoId, view, stretch, atMs, playMs, os, osVersion);
        }
      })();
    },
  };
}
