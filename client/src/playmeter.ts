import { type Beacons, beaconsOf } from './beacons.ts';
import { type ConnectionOptions, connect } from './connection.ts';
import { type Statistics, statisticsOf } from './statistics.ts';

/**
 * A Playmeter server, as one key sees it. Every call may reject with a PlaymeterError.
 *
 *     const client = new Playmeter({ url: 'https://stats.example.com', key });
 *     const range = { sdate: '2026-11-01', edate: '2026-11-30' };
 *     for await (const row of client.statistics.date(range)) console.log(row.date, row.videoCount);
 */
export class Playmeter {
  /** GET /report/statistics/...; the key needs the scope stats:read. */
  readonly statistics: Statistics;
  /** POST /collect/v1/beacons; a key is not needed. */
  readonly beacons: Beacons;
  // The groups of further addresses go here, each in a file of its own like statistics.ts.

  constructor(options: ConnectionOptions) {
    const connection = connect(options);
    this.statistics = statisticsOf(connection);
    this.beacons = beaconsOf(connection);
  }
}
