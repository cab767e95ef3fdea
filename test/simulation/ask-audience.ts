/** Asks a running service about its audience as a client does; answers are held to the document. */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkAnswer } from '../support/check-answer.ts';
import type { OracleRow } from './audience-oracle.ts';

/** A cluster on a busy machine may not answer for some seconds. */
const attempts = 20;
const retryPauseMs = 1_000;

interface Asker {
  readonly url: string;
  readonly key: string;
}

/** The data of an answer and the moment (ms) that it shows; throws unless it is one. */
export async function askAudience<Data>(
  { url, key }: Asker,
  question: 'query' | 'distribution' | 'retention' | 'concurrency' | 'live',
  parameters: Readonly<Record<string, string>>,
): Promise<{ readonly data: Data; readonly asOfMs: number }> {
  const path = `/report/statistics/video/v2/${question}?${new URLSearchParams(parameters)}`;
  const response = await persist(url + path, { 'x-api-key': key });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  const asOfMs = Date.parse(response.headers.get('as-of') ?? '');
  return { data: (JSON.parse(text) as { data: Data }).data, asOfMs };
}

async function persist(target: string, headers: Record<string, string>): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === attempts;
    const response = await fetch(target, { headers }).catch((error: unknown) => {
      if (isLast) throw error;
    });
    if (response && (isLast || response.status !== 503)) return checkAnswer('GET', response);
    await sleep(retryPauseMs);
  }
}

interface PageData {
  readonly list: OracleRow[];
  readonly totals: object;
  readonly viewerBasis?: object;
  readonly qualityBasis?: object;
  readonly rowCount: number;
  readonly requestId: string;
  readonly nextToken: string;
}

/** All rows of all pages, and what each of the pages says besides. */
export async function askAllPages(
  asker: Asker,
  parameters: Readonly<Record<string, string>>,
  between: () => Promise<void> = async () => {},
) {
  const first = await askAudience<PageData>(asker, 'query', parameters);
  const rows: OracleRow[] = [];
  const pages: PageData[] = [];
  for (let page = first.data; ; ) {
    rows.push(...page.list);
    pages.push(page);
    if (page.nextToken === '') break;
    await between();
    const { requestId, nextToken } = page;
    const { pageSize = '' } = parameters;
    const further = { requestId, nextToken, ...(pageSize && { pageSize }) };
    const next = await askAudience<PageData>(asker, 'query', further);
    if (next.asOfMs !== first.asOfMs) throw new Error('A page shows another moment');
    page = next.data;
  }
  const [{ totals, viewerBasis, qualityBasis }] = pages as [PageData];
  for (const page of pages) {
    const said = JSON.stringify([page.totals, page.viewerBasis, page.qualityBasis, page.rowCount]);
    const isSame = said === JSON.stringify([totals, viewerBasis, qualityBasis, rows.length]);
    if (!isSame) throw new Error(`A page says ${said} of ${rows.length} rows`);
  }
  return { answer: { rows, totals, viewerBasis, qualityBasis }, asOfMs: first.asOfMs };
}
