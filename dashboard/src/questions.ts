/** The questions of the audience interface (v2), asked through the client. */
import type {
  CallOptions,
  DistributionParameters,
  QueryDimension,
  QueryMeasures,
  QueryPages,
  QueryParameters,
  QueryRow,
  RetentionParameters,
} from '../../client/src/index.ts';
import { asking, files } from './server.ts';

export type { Live, QueryRow as Row, RetentionPart } from '../../client/src/index.ts';

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
  readonly asked: Question;
  next(): Promise<Answer | undefined>;
};

type Page = Omit<Answer, 'asked' | 'next'> & { next(): Promise<Page | undefined> };

export async function query(question: Question, signal?: AbortSignal): Promise<Answer> {
  const pages = asking.statistics.query(given(question) as Parameters, options(signal));
  // Typed by what may be asked, it would have all of that in each row.
  return answerOf((await pages) as unknown as Page, question);
}

function answerOf(page: Page, asked: Question): Answer {
  const next = async () => {
    const further = await page.next();
    return further && answerOf(further, asked);
  };
  return { ...page, asked, next };
}

/** All rows, as the interface writes them in CSV. */
export function queryCsv({ pageSize: _, ...whole }: Question): Promise<string> {
  return files.statistics.csv.query(given(whole) as Parameters);
}

type RetentionQuestion = Readonly<Record<'accessKey' | 'sdate' | 'edate', string>> & {
  readonly packageId?: number | undefined;
  readonly filters?: string | undefined;
  readonly parts?: number | undefined;
  readonly lengthMs?: number | undefined;
};

/** A curve, and what was asked. */
export type Retention = Awaited<ReturnType<typeof retention>>;

export async function retention(question: RetentionQuestion, signal?: AbortSignal) {
  const parameters = given(question) as RetentionParameters;
  const answer = await asking.statistics.retention(parameters, options(signal));
  return { ...answer, asked: question };
}

export function retentionCsv(question: RetentionQuestion): Promise<string> {
  return files.statistics.csv.retention(given(question) as RetentionParameters);
}

type DistributionQuestion = Pick<DistributionParameters, 'sdate' | 'edate' | 'measure'> & {
  readonly [Name in keyof DistributionParameters]?: DistributionParameters[Name] | undefined;
};

/** How a measure is spread, and what was asked. */
export type Distribution = Awaited<ReturnType<typeof distribution>>;

export async function distribution(question: DistributionQuestion, signal?: AbortSignal) {
  const parameters = given(question) as DistributionParameters;
  const answer = await asking.statistics.distribution(parameters, options(signal));
  return { ...answer, asked: question };
}

export function distributionCsv(question: DistributionQuestion): Promise<string> {
  return files.statistics.csv.distribution(given(question) as DistributionParameters);
}

export function liveCsv(list: 'videos' | 'lastMinutes'): Promise<string> {
  return files.statistics.csv.live({ list });
}

export const schema = (signal?: AbortSignal) => asking.statistics.schema(options(signal));
export const live = (signal?: AbortSignal) => asking.statistics.live({}, options(signal));

function given(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function options(signal: AbortSignal | undefined): CallOptions {
  return signal === undefined ? {} : { signal };
}
