/** Answers questions: plan -> SQL -> sums in order -> rows -> pages of one snapshot. */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Catalog } from '../../catalog/catalog.ts';
import { nextTurn } from '../../lib/tasks/event-loop-turn.ts';
import { mapPortions } from '../../lib/tasks/work-portions.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { FactReader } from '../../store/facts.ts';
import { rowMeasures, type StatisticRow, statistics } from '../../vocabulary/statistics.ts';
import type {
  ContinuationRequest,
  StatisticAnswer,
} from '../../wire/questions/statistics-messages.ts';
import type { Question } from '../parse/question.ts';
import type { TokenSealer } from '../ranges/continuation.ts';
import { openPosition, tokenExpired } from '../ranges/page-position.ts';
import { type LabelledSums, measured, type Sums } from './labelled-sums.ts';
import { mostValues, orderRowsWithRest } from './row-order.ts';
import { type Plan, plan } from './statistics-plan.ts';
import { compile } from './statistics-sql.ts';
import { fillZero } from './zero-rows.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);
const pace = { size: 1_000, takeTurn: nextTurn };

export interface Report {
  readonly answer: StatisticAnswer;
  /** The moment that the answer shows, with all its pages. */
  readonly asOf: Date;
  /** Everything acknowledged before this instant is in the answer. */
  readonly completeThrough: Date;
}

export interface Reporter {
  ask(question: Question): Promise<Report>;
  /** A further page; faults with TOKEN_INVALID or TOKEN_EXPIRED. */
  continue(request: ContinuationRequest, of: { accountId: number; path: string }): Promise<Report>;
}

interface ReporterOptions {
  readonly facts: Pick<FactReader, 'read' | 'unsettledDays' | 'between' | 'completeThrough'>;
  readonly catalog: Pick<Catalog, 'publications' | 'snapshots'>;
  readonly sealer: TokenSealer;
  readonly clock: Clock;
  readonly snapshotLifetimeMs: number;
  /** Of an account's snapshots together; beyond that, the oldest are deleted. */
  readonly snapshotRoomBytes: number;
}

/** All rows of one answer, from which its pages are cut. */
interface WholeReport {
  readonly requestId: string;
  readonly accountId: number;
  readonly path: string;
  readonly expiresAt: Date;
  readonly asOf: Date;
  readonly completeThrough: Date;
  readonly rows: readonly StatisticRow[];
}

export function createReporter(options: ReporterOptions): Reporter {
  const { facts, catalog, sealer, clock, snapshotLifetimeMs, snapshotRoomBytes } = options;

  const page = (whole: WholeReport, offset: number, pageSize: number): Report => {
    const end = offset + pageSize;
    const { requestId, accountId, path, rows, asOf, completeThrough } = whole;
    const expiresAt = whole.expiresAt.getTime();
    const next = { requestId, accountId, path, offset: end, expiresAt };
    return {
      answer: {
        isSuccess: true,
        message: '',
        data: {
          list: rows.slice(offset, end),
          requestId,
          pageSize: String(pageSize),
          nextToken: end < rows.length ? sealer.seal(next) : '',
        },
      },
      asOf,
      completeThrough,
    };
  };

  return {
    async ask(question) {
      const { read, asOf, completeThrough } = await facts.between(question.accountId, async () => {
        // Taken before the SELECT, so that neither promises more than it saw.
        const completeThrough = new Date(facts.completeThrough());
        const asOf = new Date(clock.now());
        const planned = await plan(question, { publications: catalog.publications, facts });
        const read = planned ? await readRows(facts, planned, question) : [];
        return { read, asOf, completeThrough };
      });
      const ordered = read.map((row) => labelled(row, question));
      const filled = question.fillZero ? fillZero(ordered, question) : ordered;
      const whole: WholeReport = {
        requestId: randomUUID(),
        accountId: question.accountId,
        path: statistics[question.statistic].path,
        expiresAt: new Date(asOf.getTime() + snapshotLifetimeMs),
        asOf,
        completeThrough,
        rows: await mapPortions(filled, pace, (row) => rowOf(row, question)),
      };
      if (whole.rows.length > question.pageSize) {
        const { rows, ...about } = whole;
        const body = await compress(JSON.stringify(rows));
        const kept = { ...about, rowCount: rows.length, body };
        await catalog.snapshots.keep(kept, snapshotRoomBytes);
      }
      return page(whole, 0, question.pageSize);
    },

    async continue(request, { accountId, path }) {
      const { requestId, pageSize } = request;
      const position = openPosition(request, { accountId, path, sealer, clock });
      const snapshot = await catalog.snapshots.find(requestId);
      if (snapshot === undefined) throw tokenExpired();
      const rows = JSON.parse((await decompress(snapshot.body)).toString()) as StatisticRow[];
      return page({ ...snapshot, rows }, position.offset, pageSize);
    },
  };
}

type ReadRow = Sums & { readonly label: string };

async function readRows(
  facts: Pick<FactReader, 'read'>,
  planned: Plan,
  question: Question,
): Promise<ReadRow[]> {
  const rows = await facts.read<ReadRow>(compile(planned, question));
  if (rows.length <= mostValues) return rows;
  return facts.read<ReadRow>(compile(planned, question, orderRowsWithRest));
}

function labelled({ label, ...sums }: ReadRow, { statistic, given }: Question): LabelledSums {
  return { sums, labels: { ...given, [statistics[statistic].ownLabel]: label } };
}

function rowOf({ sums, labels }: LabelledSums, { statistic }: Question): StatisticRow {
  const counts = rowMeasures.map((name) => [name, String(measured(name, sums))]);
  const shown = statistics[statistic].labels.map((name) => [name, labels[name]]);
  return Object.fromEntries([...counts, ...shown]);
}
