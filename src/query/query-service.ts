/** Answers questions of the audience, page by page of one snapshot. */
import { randomUUID } from 'node:crypto';
import type { Catalog } from '../catalog/catalog.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { FactReader } from '../store/facts.ts';
import type { CountrySource } from '../vocabulary/country-source.ts';
import type { QueryAnswer, QueryRow, QuerySchema } from '../wire/questions/audience-messages.ts';
import type { ContinuationRequest } from '../wire/questions/statistics-messages.ts';
import type { Query } from './parse/query.ts';
import { describeSchema, type LabelTimes } from './present/schema-description.ts';
import { openPosition, type TokenSealer, tokenExpired } from './ranges/continuation.ts';
import { atMoment, type Moment } from './run/moment.ts';
import { answerQuery, type WholeAnswer } from './run/query-run.ts';
import { keepRows, readKeptRows } from './run/stored-rows.ts';

export interface QueryReport extends Moment {
  readonly answer: QueryAnswer;
}

export interface QueryService {
  /** The first page. Further ones are given to the same account under the same path only. */
  ask(query: Query, path: string): Promise<QueryReport>;
  /** A further page; faults with TOKEN_INVALID or TOKEN_EXPIRED. */
  continue(
    request: ContinuationRequest,
    of: { readonly accountId: number; readonly path: string },
  ): Promise<QueryReport>;
  /** What an account can ask for. */
  describe(accountId: number, labels: LabelTimes): Promise<QuerySchema>;
  /** All rows, without pages. */
  askWhole(query: Query): Promise<WholeAnswer & Moment>;
}

interface QueryServiceOptions {
  readonly facts: FactReader;
  readonly catalog: Pick<Catalog, 'accounts' | 'publications' | 'videos' | 'names' | 'snapshots'>;
  readonly sealer: TokenSealer;
  readonly countrySource: CountrySource;
  readonly clock: Clock;
  readonly snapshotLifetimeMs: number;
  readonly snapshotRoomBytes: number;
}

/** What an answer contains besides its rows. */
type About = Omit<WholeAnswer, 'rows'>;

/** What all pages of one answer have in common. */
interface Paged extends Moment {
  readonly requestId: string;
  readonly accountId: number;
  readonly path: string;
  readonly rowCount: number;
  readonly expiresAt: Date;
}

export function createQueryService(options: QueryServiceOptions): QueryService {
  const { catalog, sealer, clock, snapshotLifetimeMs, snapshotRoomBytes } = options;

  const askWhole = (query: Query) =>
    atMoment(query.accountId, options, (nowMs) => answerQuery(query, nowMs, options));

  const page = (
    paged: Paged,
    about: About,
    rows: readonly QueryRow[],
    { offset, pageSize }: { offset: number; pageSize: number },
  ): QueryReport => {
    const { requestId, accountId, path, rowCount, asOf, completeThrough } = paged;
    const end = offset + pageSize;
    const expiresAt = paged.expiresAt.getTime();
    const next = { requestId, accountId, path, offset: end, expiresAt };
    const nextToken = end < rowCount ? sealer.seal(next) : '';
    const data = { list: rows, ...about, rowCount, requestId, pageSize, nextToken };
    return { answer: { isSuccess: true, message: '', data }, asOf, completeThrough };
  };

  return {
    askWhole,
    describe: (accountId, labels) => describeSchema(accountId, labels, options),

    async ask(query, path) {
      const { rows, asOf, completeThrough, ...about } = await askWhole(query);
      const { accountId, pageSize } = query;
      const paged = {
        requestId: randomUUID(),
        accountId,
        path,
        rowCount: rows.length,
        expiresAt: new Date(asOf.getTime() + snapshotLifetimeMs),
        asOf,
        completeThrough,
      };
      if (rows.length > pageSize) {
        const body = await keepRows(about, rows);
        await catalog.snapshots.keep({ ...paged, body }, snapshotRoomBytes);
      }
      return page(paged, about, rows.slice(0, pageSize), { offset: 0, pageSize });
    },

    async continue(request, of) {
      const { offset } = openPosition(request, { ...of, sealer, clock });
      const { requestId, pageSize } = request;
      const snapshot = await catalog.snapshots.find(requestId);
      if (snapshot === undefined) throw tokenExpired();
      const end = offset + pageSize;
      const kept = await readKeptRows<About, QueryRow>(snapshot.body, offset, end);
      if (kept === undefined) throw tokenExpired();
      return page(snapshot, kept.about, kept.rows, { offset, pageSize });
    },
  };
}
