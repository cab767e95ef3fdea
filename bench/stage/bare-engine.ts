/** The engine without the service: for filling it, for looking into it and as the limit. */
import type { EngineAccess } from '../../src/engine/engine.ts';
import { createAuthorization } from '../../src/engine/running-engine.ts';

export const factsDatabase = 'playmeter';

export interface BareEngine {
  /** Runs a statement; resolves with the text of its answer. */
  run(sql: string, settings?: Readonly<Record<string, string | number>>): Promise<string>;
  /** The first column of the first row, as a number. */
  number(sql: string): Promise<number>;
  /** Inserts rows that are already in the engine's binary row format. */
  insert(table: string, columns: readonly string[], rows: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** `always`: settings of every statement. */
export function openBareEngine(
  { url, username, password }: EngineAccess,
  always: Readonly<Record<string, string | number>> = {},
): BareEngine {
  const headers = { authorization: createAuthorization({ username, password }) };
  const send = async (address: URL, body: string | Uint8Array<ArrayBuffer>): Promise<string> => {
    const answer = await fetch(address, { method: 'POST', headers, body });
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`The engine answered ${answer.status}: ${text.slice(0, 2_000)}`);
    return text;
  };
  const addressOf = (settings: Readonly<Record<string, string | number>>): URL => {
    const address = new URL(url);
    address.searchParams.set('database', factsDatabase);
    for (const [name, value] of Object.entries({ ...always, ...settings })) {
      address.searchParams.set(name, String(value));
    }
    return address;
  };
  const run: BareEngine['run'] = (sql, settings = {}) =>
    send(addressOf({ max_execution_time: 0, ...settings }), sql);
  return {
    run,
    async number(sql) {
      return Number((await run(sql)).split(/[\t\n]/)[0]);
    },
    async insert(table, columns, rows) {
      const query = `INSERT INTO ${table} (${columns.join(', ')}) FORMAT RowBinary`;
      await send(addressOf({ query }), rows);
    },
  };
}
