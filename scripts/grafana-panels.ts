/** What the dashboard of Grafana shows: a row for each question that comes up on call. */
import type { Row, Series } from './grafana-panel.ts';

const own = '{job="$job", instance=~"$instance"}';
const rate = (metric: string, by = '') =>
  `sum${by && ` by (${by})`} (rate(${metric}${own}[$__rate_interval]))`;
const quantile = (share: number, metric: string, by = '') =>
  `histogram_quantile(${share}, sum by (le${by && `, ${by}`}) ` +
  `(rate(${metric}_bucket${own}[$__rate_interval])))`;
/** A line for each value of the labels. */
const rateBy = (metric: string, ...labels: string[]): Series => ({
  expr: rate(metric, labels.join(', ')),
  legend: labels.map((label) => `{{${label}}}`).join(': '),
});
const plain = (metric: string, legend = '{{instance}}'): Series => ({
  expr: `${metric}${own}`,
  legend,
});

export const rows: readonly Row[] = [
  {
    question: 'Is it well?',
    panels: [
      {
        title: 'Version',
        unit: 'none',
        isNumber: true,
        series: [
          { expr: `count by (version) (playmeter_build_info${own})`, legend: '{{version}}' },
        ],
      },
      {
        title: 'Ready',
        about: '0: the statistics store does not answer, and beacons get 503',
        unit: 'none',
        isNumber: true,
        series: [plain('playmeter_statistics_ready')],
      },
      {
        title: 'Workers',
        about: 'Processes that answer, where WORKERS is more than 1',
        unit: 'none',
        isNumber: true,
        series: [plain('playmeter_workers')],
      },
      {
        title: 'Up since',
        unit: 'dateTimeFromNow',
        isNumber: true,
        series: [{ expr: `playmeter_process_start_time_seconds${own} * 1000`, legend: '' }],
      },
      {
        title: 'Age of the last backup',
        unit: 's',
        isNumber: true,
        redFrom: 172_800,
        series: [plain('playmeter_backup_age_seconds')],
      },
      {
        title: 'Scheduled export',
        about: 'Overdue: until a run of the schedule has succeeded',
        unit: 's',
        isNumber: true,
        redFrom: 21_600,
        series: [
          plain('playmeter_export_overdue_seconds', 'overdue'),
          plain('playmeter_export_age_seconds', 'since the last'),
        ],
      },
    ],
  },
  {
    question: 'Is playback lost?',
    panels: [
      {
        title: 'Beacons a second',
        unit: 'cps',
        series: [
          { expr: rate('playmeter_beacons_received_total'), legend: 'received' },
          { expr: rate('playmeter_beacons_counted_total'), legend: 'counted' },
          { expr: rate('playmeter_beacons_erased_total'), legend: 'erased' },
          { expr: rate('playmeter_beacons_unavailable_total'), legend: '503, sent again' },
        ],
      },
      {
        title: 'Refused for good, by reason',
        unit: 'cps',
        series: [rateBy('playmeter_beacons_refused_total', 'reason')],
      },
      {
        title: 'Set apart as unusual, by reason',
        unit: 'cps',
        series: [rateBy('playmeter_beacons_set_apart_total', 'reason')],
      },
      {
        title: 'What waits',
        about: 'Beacons get 503 when 200,000 facts wait in the spool or 500,000 in the journal',
        unit: 'short',
        series: [
          plain('playmeter_spool_waiting_facts', 'facts in the spool'),
          plain('playmeter_spool_waiting_events', 'events in the spool'),
          plain('playmeter_spool_waiting_requests', 'requests before the spool'),
          plain('playmeter_journal_waiting_facts', 'facts in the journal'),
        ],
      },
    ],
  },
  {
    question: 'Are the statistics late?',
    panels: [
      {
        title: 'Lag',
        unit: 's',
        redFrom: 60,
        series: [plain('playmeter_complete_through_age_seconds')],
      },
      {
        title: 'Time of a roll-up',
        unit: 's',
        series: [
          { expr: quantile(0.5, 'playmeter_roll_up_seconds'), legend: 'median' },
          { expr: quantile(0.95, 'playmeter_roll_up_seconds'), legend: '95 of 100' },
        ],
      },
      {
        title: 'Failures a second',
        unit: 'cps',
        series: [
          { expr: rate('playmeter_roll_up_failures_total'), legend: 'roll-ups' },
          rateBy('playmeter_store_statement_failures_total', 'statement', 'kind'),
        ],
      },
    ],
  },
  {
    question: 'How are the disk and the statistics store?',
    panels: [
      {
        title: 'Disk',
        unit: 'bytes',
        series: [
          {
            expr: `playmeter_disk_size_bytes${own} - playmeter_disk_free_bytes${own}`,
            legend: 'used',
          },
          plain('playmeter_disk_free_bytes', 'free'),
          plain('playmeter_store_disk_free_bytes', 'free, of the ClickHouse servers'),
          plain('playmeter_store_bytes', 'statistics'),
          plain('playmeter_catalog_bytes', 'catalog'),
        ],
      },
      {
        title: 'Free inodes of the disk',
        unit: 'short',
        series: [plain('playmeter_disk_free_inodes')],
      },
      {
        title: 'Memory of the store',
        unit: 'bytes',
        series: [
          plain('playmeter_store_memory_bytes', 'allocated'),
          plain('playmeter_engine_resident_memory_bytes', 'resident'),
          plain('playmeter_engine_memory_limit_bytes', 'ENGINE_MEMORY_MB'),
        ],
      },
      {
        title: 'Parts',
        about: 'Inserts wait from 1,000 parts of a partition on',
        unit: 'short',
        series: [
          plain('playmeter_store_parts', 'all'),
          plain('playmeter_store_most_parts', 'of the fullest partition'),
          plain('playmeter_store_parts_set_aside', 'damaged, set aside'),
        ],
      },
      {
        title: 'Work in the background',
        unit: 'short',
        series: [
          plain('playmeter_store_merges', 'merges'),
          plain('playmeter_store_mutations', 'changes of rows'),
          plain('playmeter_erasures_open', 'erasures'),
          {
            expr: `increase(playmeter_engine_restarts_total${own}[1h])`,
            legend: 'restarts in an hour',
          },
          {
            expr: `increase(playmeter_worker_restarts_total${own}[1h])`,
            legend: 'restarts of workers in an hour',
          },
        ],
      },
      {
        title: "Clocks of the cluster's servers",
        about: 'How far they differ. Beyond 10 s new playback may be missing',
        unit: 's',
        redFrom: 10,
        series: [plain('playmeter_cluster_clock_skew_seconds')],
      },
      {
        title: 'Answer to a small question',
        unit: 's',
        series: [
          plain('playmeter_store_answer_seconds', 'statistics store'),
          plain('playmeter_catalog_answer_seconds', 'catalog'),
        ],
      },
    ],
  },
  {
    question: 'Who asks, and do they wait?',
    panels: [
      {
        title: 'Requests a second, by route',
        unit: 'reqps',
        series: [rateBy('playmeter_http_request_seconds_count', 'route')],
      },
      {
        title: 'Time to the answer (95 of 100)',
        unit: 's',
        series: [
          { expr: quantile(0.95, 'playmeter_http_request_seconds', 'route'), legend: '{{route}}' },
        ],
      },
      {
        title: 'Limited (429) a second, by limit',
        unit: 'reqps',
        series: [rateBy('playmeter_requests_limited_total', 'limit')],
      },
      {
        title: 'Unavailable (503) a second, by reason',
        unit: 'reqps',
        series: [rateBy('playmeter_requests_unavailable_total', 'reason')],
      },
      {
        title: 'Failed (5xx) a second',
        unit: 'reqps',
        series: [
          {
            expr: rate('playmeter_http_request_seconds_count', 'status').replace(
              own,
              own.replace('}', ', status=~"5.."}'),
            ),
            legend: '{{status}}',
          },
        ],
      },
      {
        title: 'Connections, questions, sessions',
        unit: 'short',
        series: [
          plain('playmeter_connections', 'connections'),
          plain('playmeter_questions_waiting', 'questions that wait'),
          plain('playmeter_sessions', 'sessions of the dashboard'),
          plain('playmeter_suspects_undecided', 'suspects to decide about'),
        ],
      },
      {
        title: 'Messages of alerts and reports',
        unit: 'short',
        series: [rateBy('playmeter_deliveries_total', 'channel', 'outcome')],
      },
    ],
  },
  {
    question: 'Where does the time go?',
    panels: [
      {
        title: 'Time of each step of collecting',
        unit: 'percentunit',
        series: [rateBy('playmeter_step_seconds_total', 'step')],
      },
      {
        title: 'Processor of the service',
        unit: 'percentunit',
        series: [{ expr: rate('playmeter_process_cpu_seconds_total'), legend: 'in all' }],
      },
      {
        title: 'Memory of the service',
        unit: 'bytes',
        series: [
          plain('playmeter_process_resident_memory_bytes', 'resident'),
          plain('playmeter_nodejs_heap_size_used_bytes', 'JavaScript'),
        ],
      },
      {
        title: 'Delay of the event loop (99 of 100)',
        unit: 's',
        series: [plain('playmeter_nodejs_eventloop_lag_p99_seconds')],
      },
    ],
  },
];
