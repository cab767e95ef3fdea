/** Gives an answer page by page, all of which are kept as one snapshot. */
import { randomUUID } from 'node:crypto';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { ContinuationRequest } from '../../wire/questions/statistics-messages.ts';
import { openPosition, type TokenSealer, tokenExpired } from '../ranges/continuation.ts';
import type { Moment } from './moment.ts';
import { keepRows, readKeptRows } from './stored-rows.ts';

export interface PageSources {
  readonly catalog: Pick<Catalog, 'snapshots'>;
  readonly sealer: TokenSealer;
  readonly clock: Clock;
  readonly snapshotLifetimeMs: number;
  readonly snapshotRoomBytes: number;
}

/** Whose pages they are: further ones are given to the same account under the same path only. */
interface PagesOf {
  readonly accountId: number;
  readonly path: string;
}

/** `About`: what the answer holds besides its rows. */
export interface PageReport<About, Row> extends Moment {
  readonly answer: {
    readonly isSuccess: true;
    readonly message: '';
    readonly data: About & {
      readonly list: readonly Row[];
      readonly rowCount: number;
      readonly requestId: string;
      readonly pageSize: number;
      readonly nextToken: string;
    };
  };
}

/** All rows, without pages. */
type WholeReport<About, Row> = About & Moment & { readonly rows: readonly Row[] };

/** Answers the questions of one path. */
export interface PagedAnswers<Question, About, Row> {
  /** The first page. */
  ask(question: Question, path: string): Promise<PageReport<About, Row>>;
  /** A further page; faults with TOKEN_INVALID or TOKEN_EXPIRED. */
  continue(request: ContinuationRequest, of: PagesOf): Promise<PageReport<About, Row>>;
  askWhole(question: Question): Promise<WholeReport<About, Row>>;
}

/** What all pages of one answer have in common. */
interface Paged extends Moment, PagesOf {
  readonly requestId: string;
  readonly rowCount: number;
  readonly expiresAt: Date;
}

interface PagedQuestion {
  readonly accountId: number;
  readonly pageSize: number;
}

export function createPagedAnswers<
  Question extends PagedQuestion,
  About extends object,
  Row extends object,
>(
  { catalog, sealer, clock, snapshotLifetimeMs, snapshotRoomBytes }: PageSources,
  askWhole: (question: Question) => Promise<WholeReport<About, Row>>,
): PagedAnswers<Question, About, Row> {
  const page = (
    paged: Paged,
    about: About,
    rows: readonly Row[],
    { offset, pageSize }: { offset: number; pageSize: number },
  ): PageReport<About, Row> => {
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

    async ask(question, path) {
      const { rows, asOf, completeThrough, ...rest } = await askWhole(question);
      const { accountId, pageSize } = question;
      const about = rest as unknown as About;
      const paged = {
        ...{ requestId: randomUUID(), accountId, path, rowCount: rows.length },
        expiresAt: new Date(asOf.getTime() + snapshotLifetimeMs),
        ...{ asOf, completeThrough },
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
      const kept = await readKeptRows<About, Row>(snapshot.body, offset, offset + pageSize);
      if (kept === undefined) throw tokenExpired();
      return page(snapshot, kept.about, kept.rows, { offset, pageSize });
    },
  };
}
