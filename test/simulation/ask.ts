/** Asks a running service as a client does, page by page. */
import { Playmeter } from '../../client/src/index.ts';
import { checkAnswer } from '../support/check-answer.ts';
import { type AnyQuestion, queryOf, type Row } from './questions.ts';
import type { World } from './world.ts';

/** A cluster on a busy machine may not answer for some seconds. */
const retries = 20;

/** The four statistics differ in what they take; here the question sees to that. */
type Ask = (parameters: object) => { pages(): AsyncIterable<{ rows: Row[]; nextToken: string }> };

/** All rows of all pages; every answer is held to the OpenAPI document. */
export async function allPages(
  question: AnyQuestion,
  world: World,
  between: () => Promise<void> = async () => {},
): Promise<Row[]> {
  const { key } = world.accounts[question.account] ?? { key: '' };
  const client = new Playmeter({
    ...{ url: world.url, key, retries },
    fetch: async (...request) => checkAnswer('GET', await fetch(...request)),
  });
  const ask = client.statistics[question.kind === 'detail' ? 'osDetail' : question.kind] as Ask;
  const rows: Row[] = [];
  for await (const page of ask(Object.fromEntries(queryOf(question, world))).pages()) {
    rows.push(...page.rows);
    if (page.nextToken !== '') await between();
  }
  return rows;
}
