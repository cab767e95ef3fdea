/** What a test has made on an engine that others use too costs them time for as long as it stays. */
import { waitUntil } from './wait-until.ts';

interface Engines {
  readonly urls: readonly string[];
  readonly username: string;
  readonly password: string;
}

export async function dropDatabase(engines: Engines, database: string): Promise<void> {
  const { urls, username, password } = engines;
  const login = Buffer.from(`${username}:${password}`).toString('base64');
  const dropOn = async (url: string): Promise<boolean> => {
    const answer = await fetch(`${url}/?${new URLSearchParams({ param_database: database })}`, {
      method: 'POST',
      headers: { authorization: `Basic ${login}` },
      body: 'DROP DATABASE IF EXISTS {database:Identifier} SYNC',
    }).catch(() => undefined);
    if (answer && !answer.ok) throw new Error(`${database} stays: ${await answer.text()}`);
    // Its supervisor starts one again that did not answer for a while.
    return answer !== undefined;
  };
  for (const url of urls) await waitUntil('an engine that drops a database', () => dropOn(url));
}
