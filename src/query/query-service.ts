/** Answers questions of the audience, page by page of one snapshot. */
import type { Catalog } from '../catalog/catalog.ts';
import type { FactReader } from '../store/facts.ts';
import type { CountrySource } from '../vocabulary/country-source.ts';
import type { QueryRow, QuerySchema } from '../wire/questions/audience-messages.ts';
import type { Query } from './parse/query.ts';
import { describeSchema, type LabelTimes } from './present/schema-description.ts';
import {
  createPagedAnswers,
  type PagedAnswers,
  type PageReport,
  type PageSources,
} from './run/answer-pages.ts';
import { atMoment } from './run/moment.ts';
import { answerQuery, type WholeAnswer } from './run/query-run.ts';

/** What an answer contains besides its rows. */
type About = Omit<WholeAnswer, 'rows'>;

export type QueryReport = PageReport<About, QueryRow>;

export interface QueryService extends PagedAnswers<Query, About, QueryRow> {
  /** What an account can ask for. */
  describe(accountId: number, labels: LabelTimes): Promise<QuerySchema>;
}

interface QueryServiceOptions extends PageSources {
  readonly facts: FactReader;
  readonly catalog: Pick<Catalog, 'accounts' | 'publications' | 'videos' | 'names' | 'snapshots'>;
  readonly countrySource: CountrySource;
}

export function createQueryService(options: QueryServiceOptions): QueryService {
  const answers = createPagedAnswers<Query, About, QueryRow>(options, (query) =>
    atMoment(query.accountId, options, (nowMs) => answerQuery(query, nowMs, options)),
  );
  return {
    ...answers,
    describe: (accountId, labels) => describeSchema(accountId, labels, options),
  };
}
