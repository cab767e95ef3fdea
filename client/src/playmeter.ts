import { type Beacons, beaconsOf } from './beacons.ts';
import { type ConnectionOptions, connect } from './connection.ts';
import { type Dashboard, dashboardOf } from './dashboard.ts';
import { type Information, informationOf } from './information.ts';
import { type Managing, managingOf } from './managing.ts';
import { type Statistics, statisticsOf } from './statistics.ts';

/**
 * A Playmeter server, as one key sees it. Every call may reject with a PlaymeterError.
 *
 *     const client = new Playmeter({ url: 'https://media.example.com', key });
 *     const range = { sdate: '2026-11-01', edate: '2026-11-30' };
 *     for await (const row of client.statistics.date(range)) console.log(row.date, row.videoCount);
 */
export class Playmeter {
  /** GET /report/statistics/...; the key needs the scope stats:read. */
  readonly statistics: Statistics;
  /** POST /collect/v1/beacons; a key is not needed. */
  readonly beacons: Beacons;
  /** GET /info/...; the key needs the scope info:read. */
  readonly information: Information;
  /** /manage/...; the key needs the scope manage. */
  readonly manage: Managing;
  /** /session and /shared-view: for pages that the service itself sends. */
  readonly dashboard: Dashboard;

  constructor(options: ConnectionOptions) {
    const connection = connect(options);
    this.statistics = statisticsOf(connection);
    this.beacons = beaconsOf(connection);
    this.information = informationOf(connection);
    this.manage = managingOf(connection);
    this.dashboard = dashboardOf(connection);
  }
}
