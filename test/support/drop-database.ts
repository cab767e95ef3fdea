/** What a test has made on an engine that others use too costs them time for as long as it stays. */
import { waitUntil } from './wait-until.ts';

const withinMs = 120_000;

interface Engines {
  readonly urls: readonly string[];
  readonly username: string;
  readonly password: string;
}

export async function dropDatabase(engines: Engines, database: string): Promise<void> {
  const { urls, username, password } = engines;
  const login = Buffer.from(`${username}:${password}`).toString('base64');
  let refusal = 'no answer';
  const dropOn = async (url: string): Promise<boolean> => {
    const answer = await fetch(`${url}/?${new URLSearchParams({ param_database: database })}`, {
      method: 'POST',
      headers: { authorization: `Basic ${login}` },
      body: 'DROP DATABASE IF EXISTS {database:Identifier} SYNC',
    }).catch(() => undefined);
    // Its supervisor starts one again that did not answer for a while; until then others of its
    // cluster refuse as well.
    if (answer && !answer.ok) refusal = await answer.text();
    return answer?.ok ?? false;
  };
  for (const url of urls) {
    await waitUntil('an engine that drops a database', () => dropOn(url), withinMs).catch(() => {
      throw new Error(`${database} stays on ${url}: ${refusal}`);
    });
  }
}
