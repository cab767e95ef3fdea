/** The questions of the audience interface (v2), asked through the client. */
import type {
  CallOptions,
  QueryDimension,
  QueryMeasures,
  QueryPages,
  QueryParameters,
  QueryRow,
  RetentionParameters,
} from '../../client/src/index.ts';
import { files, server } from './server.ts';

export type { Live, QueryRow as Row, Retention, RetentionPart } from '../../client/src/index.ts';

type Asked = keyof QueryMeasures;
type Compare = 'previous' | 'weekdays' | 'year';
type Parameters = QueryParameters<Asked, QueryDimension, Compare>;

/** What the page may be without, it says as undefined. */
export type Question = Pick<Parameters, 'sdate' | 'edate' | 'measures'> & {
  readonly [Name in keyof Parameters]?: Parameters[Name] | undefined;
};

/** A page of an answer, whatever was asked: its rows have the members that were asked for. */
export type Answer = Omit<
  Awaited<QueryPages<Asked, QueryDimension, Compare>>,
  'rows' | 'totals' | 'next'
> & {
  readonly rows: readonly QueryRow[];
  readonly totals: QueryMeasures & { readonly previous?: QueryMeasures | null };
  next(): Promise<Answer | undefined>;
};

export function query(question: Question, signal?: AbortSignal): Promise<Answer> {
  const pages = server.statistics.query(given(question) as Parameters, options(signal));
  // Typed by what may be asked, it would have all of that in each row.
  return pages as Promise<unknown> as Promise<Answer>;
}

/** All rows, as the interface writes them in CSV. */
export function queryCsv({ pageSize: _, ...whole }: Question): Promise<string> {
  return files.statistics.csv.query(given(whole) as Parameters);
}

type RetentionQuestion = Readonly<Record<'accessKey' | 'sdate' | 'edate', string>> & {
  readonly packageId?: number | undefined;
  readonly filters?: string | undefined;
  readonly parts?: number | undefined;
};

export function retention(question: RetentionQuestion, signal?: AbortSignal) {
  return server.statistics.retention(given(question) as RetentionParameters, options(signal));
}

export function retentionCsv(question: RetentionQuestion): Promise<string> {
  return files.statistics.csv.retention(given(question) as RetentionParameters);
}

export function liveCsv(list: 'videos' | 'lastMinutes'): Promise<string> {
  return files.statistics.csv.live({ list });
}

export const schema = (signal?: AbortSignal) => server.statistics.schema(options(signal));
export const live = (signal?: AbortSignal) => server.statistics.live({}, options(signal));

function given(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function options(signal: AbortSignal | undefined): CallOptions {
  return signal === undefined ? {} : { signal };
}
