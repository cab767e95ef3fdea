/** The questions of the audience interface (v2), asked through the client. */
import type {
  CallOptions,
  QueryDimension,
  QueryMeasures,
  QueryPages,
  QueryParameters,
  QueryRow,
} from '../../client/src/index.ts';
import { server } from './server.ts';

export type { Live, QueryRow as Row, Retention, RetentionPart } from '../../client/src/index.ts';

export const queryPath = '/report/statistics/video/v2/query';

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

export function retention(
  parameters: Readonly<Record<'accessKey' | 'sdate' | 'edate', string>> & {
    readonly packageId?: number | undefined;
    readonly filters?: string | undefined;
  },
  signal?: AbortSignal,
) {
  return server.statistics.retention(
    given(parameters) as Parameters & { accessKey: string },
    options(signal),
  );
}

export const schema = (signal?: AbortSignal) => server.statistics.schema(options(signal));
export const live = (signal?: AbortSignal) => server.statistics.live({}, options(signal));

/** As an address has it, for CSV. */
export function addressed(question: Question): Readonly<Record<string, string | number>> {
  const members = Object.entries(given(question));
  return Object.fromEntries(
    members.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );
}

function given(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function options(signal: AbortSignal | undefined): CallOptions {
  return signal === undefined ? {} : { signal };
}
