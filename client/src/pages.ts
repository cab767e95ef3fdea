/** Pages of one answer: the first is asked with parameters, each further one with a token. */
import type { CallOptions, Connection, Query } from './connection.ts';

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly requestId: string;
  /** Empty on the last page. */
  readonly nextToken: string;
  /** The moment whose state all pages of the answer show. */
  readonly asOf: Date;
  /** Everything that was acknowledged before it is in the answer. */
  readonly completeThrough: Date;
  /** Undefined on the last page. */
  next(): Promise<Page<Row> | undefined>;
}

/** The first page, when awaited; every row of all pages in order, when iterated. */
export interface Pages<Row, OnePage = Page<Row>> extends Promise<OnePage>, AsyncIterable<Row> {
  pages(): AsyncIterable<OnePage>;
}

/** The envelope that all statistics share. */
interface Envelope<Row> {
  readonly data: {
    readonly list: readonly Row[];
    readonly requestId: string;
    readonly nextToken: string;
    readonly pageSize: number | string;
  };
}

export function pagesOf<Row>(
  connection: Connection,
  path: string,
  parameters: Query,
  options: CallOptions = {},
): Pages<Row> {
  const ask = async (query: Query): Promise<Page<Row>> => {
    const { body, headers } = await connection.get<Envelope<Row>>(path, query, options);
    // Some answers say more than their rows; the size of the page, whoever asks knows.
    const { list: rows, requestId, nextToken, pageSize: _, ...more } = body.data;
    const { pageSize } = parameters;
    const further = { requestId, nextToken, ...(pageSize === undefined ? {} : { pageSize }) };
    return {
      ...more,
      rows,
      requestId,
      nextToken,
      asOf: new Date(headers.get('as-of') ?? Number.NaN),
      completeThrough: new Date(headers.get('complete-through') ?? Number.NaN),
      next: async () => (nextToken === '' ? undefined : ask(further)),
    };
  };

  const first = ask(parameters);
  // It also fails for whoever awaits or iterates; until somebody does, Node must not stop for it.
  first.catch(() => undefined);
  async function* pages() {
    for (let page: Page<Row> | undefined = await first; page; page = await page.next()) yield page;
  }
  async function* rows() {
    for await (const page of pages()) yield* page.rows;
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: rows });
}
