/** Answers questions of the audience, page by page of one snapshot. */
import type { Catalog } from '../catalog/catalog.ts';
import type { FactReader } from '../store/facts.ts';
import type { CountrySource } from '../vocabulary/country-source.ts';
import type { QueryAnswer, QueryRow, QuerySchema } from '../wire/questions/audience-messages.ts';
import type { ContinuationRequest } from '../wire/questions/statistics-messages.ts';
import type { Query } from './parse/query.ts';
import { describeSchema, type LabelTimes } from './present/schema-description.ts';
import { createAnswerPages, type PageSources } from './run/answer-pages.ts';
import { atMoment, type Moment } from './run/moment.ts';
import { answerQuery, type WholeAnswer } from './run/query-run.ts';

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

interface QueryServiceOptions extends PageSources {
  readonly facts: FactReader;
  readonly catalog: Pick<Catalog, 'accounts' | 'publications' | 'videos' | 'names' | 'snapshots'>;
  readonly countrySource: CountrySource;
}

/** What an answer contains besides its rows. */
type About = Omit<WholeAnswer, 'rows'>;

export function createQueryService(options: QueryServiceOptions): QueryService {
  const pages = createAnswerPages<About, QueryRow>(options);
  const askWhole = (query: Query) =>
    atMoment(query.accountId, options, (nowMs) => answerQuery(query, nowMs, options));
  return {
    askWhole,
    describe: (accountId, labels) => describeSchema(accountId, labels, options),
    async ask(query, path) {
      const { accountId, pageSize } = query;
      return pages.first(await askWhole(query), { accountId, path, pageSize });
    },
    continue: pages.continue,
  };
}
