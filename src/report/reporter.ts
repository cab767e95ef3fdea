/** The way of a question: plan -> SQL -> sums -> rows in order -> pages of one answer. */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Catalog } from '../catalog/catalog.ts';
import type { FactReader } from '../facts/facts.ts';
import type { Clock } from '../lib/clock.ts';
import { Fault } from '../wire/faults.ts';
import {
  type ContinuationRequest,
  type Row,
  type StatisticAnswer,
  statistics,
} from '../wire/statistics.ts';
import { compile } from './compile.ts';
import type { TokenSealer } from './continuation.ts';
import { fillZero } from './fill-zero.ts';
import { inOrder } from './order.ts';
import { plan } from './plan.ts';
import type { Question } from './question.ts';
import type { Sum } from './sum.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export interface Report {
  readonly answer: StatisticAnswer;
  /** The moment whose state the answer, with all its pages, shows. */
  readonly asOf: Date;
  /** Everything acknowledged before it is in the answer. */
  readonly completeThrough: Date;
}

export interface Reporter {
  ask(question: Question): Promise<Report>;
  /** A further page; faults with TOKEN_INVALID or TOKEN_EXPIRED. */
  continue(
    request: ContinuationRequest,
    of: { accountId: number; address: string },
  ): Promise<Report>;
}

interface ReporterOptions {
  readonly facts: FactReader;
  readonly catalog: Pick<Catalog, 'publications' | 'snapshots'>;
  readonly sealer: TokenSealer;
  readonly clock: Clock;
  readonly snapshotLifetimeMs: number;
}

/** All rows of one answer, of which pages are cut. */
interface Answer {
  readonly requestId: string;
  readonly accountId: number;
  readonly address: string;
  readonly expiresAt: Date;
  readonly asOf: Date;
  readonly completeThrough: Date;
  readonly rows: readonly Row[];
}

export function createReporter(options: ReporterOptions): Reporter {
  const { facts, catalog, sealer, clock, snapshotLifetimeMs } = options;

  const page = (answer: Answer, offset: number, pageSize: number): Report => {
    const end = offset + pageSize;
    const { requestId, accountId, address, rows, asOf, completeThrough } = answer;
    const expiresAt = answer.expiresAt.getTime();
    const next = { requestId, accountId, address, offset: end, expiresAt };
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
      // Before the SELECT, so that neither promises more than it saw.
      const completeThrough = new Date(facts.completeThrough());
      const asOf = new Date(clock.now());
      const planned = await plan(question, { publications: catalog.publications, facts });
      const summed = planned ? await facts.read<SumRow>(compile(planned)) : [];
      const sums = summed.map((row) => sumOf(row, question));
      const filled = question.fillZero ? fillZero(sums, question) : sums;
      const answer: Answer = {
        requestId: randomUUID(),
        accountId: question.accountId,
        address: statistics[question.statistic].path,
        expiresAt: new Date(asOf.getTime() + snapshotLifetimeMs),
        asOf,
        completeThrough,
        rows: inOrder(filled, question).map((sum) => rowOf(sum, question)),
      };
      if (answer.rows.length > question.pageSize) {
        const { rows, ...about } = answer;
        const body = await compress(JSON.stringify(rows));
        await catalog.snapshots.keep({ ...about, rowCount: rows.length, body });
      }
      return page(answer, 0, question.pageSize);
    },

    async continue({ requestId, nextToken, pageSize }, { accountId, address }) {
      const opened = sealer.open(nextToken);
      if (!opened.ok) throw tokenInvalid();
      const position = opened.value;
      const belongs =
        position.requestId === requestId &&
        position.accountId === accountId &&
        position.address === address;
      if (!belongs) throw tokenInvalid();
      if (position.expiresAt <= clock.now()) throw tokenExpired();
      const snapshot = await catalog.snapshots.find(requestId);
      if (snapshot?.body === undefined) throw tokenExpired();
      const rows = JSON.parse((await decompress(snapshot.body)).toString()) as Row[];
      return page({ ...snapshot, rows }, position.offset, pageSize);
    },
  };
}

interface SumRow {
  readonly label: string;
  readonly plays: number;
  readonly playMs: number;
}

/** Labels that are not the rows' own were asked for: the day of hours, the system of versions. */
function sumOf({ label, plays, playMs }: SumRow, { statistic, firstDay, os }: Question): Sum {
  const asked = { date: firstDay, ...(os === undefined ? {} : { os }) };
  return { plays, playMs, labels: { ...asked, [statistics[statistic].ownLabel]: label } };
}

function rowOf({ plays, playMs, labels }: Sum, { statistic }: Question): Row {
  const shown = statistics[statistic].labels.map((label) => [label, labels[label]]);
  return {
    duration: String(Math.floor(playMs / 1_000)),
    videoCount: String(plays),
    ...Object.fromEntries(shown),
  };
}

function tokenInvalid(): Fault {
  const errors = [{ parameter: 'nextToken', detail: 'is not of this request' }];
  return new Fault('TOKEN_INVALID', 'nextToken is not of this request', { errors });
}

function tokenExpired(): Fault {
  const errors = [{ parameter: 'nextToken', detail: 'has expired; ask the first page again' }];
  return new Fault('TOKEN_EXPIRED', 'nextToken has expired; ask the first page again', { errors });
}
