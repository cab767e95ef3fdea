/**
 * A server in the place of a ClickHouse server: it records what it is asked, and answers as a test
 * wants. For clusters that cannot run here, and for hosts that fail at a certain statement.
 */
import type { ServerResponse } from 'node:http';
import { type LocalServer, startLocalServer } from './local-server.ts';

export interface Asked {
  /** Of the server, as in its URL. */
  readonly host: string;
  readonly sql: string;
  /** Settings and the like. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface RecordingServer extends LocalServer {
  readonly host: string;
  readonly asked: readonly Asked[];
}

/**
 * The rows of an answer, or nothing where it ends the response itself, or lets it hang. What it
 * throws is the server's answer.
 */
export type GiveAnswer = (asked: Asked, response: ServerResponse) => readonly object[] | undefined;

export async function startRecordingServer(answer: GiveAnswer): Promise<RecordingServer> {
  const asked: Asked[] = [];
  const server = await startLocalServer(async (request, response) => {
    const { host = '' } = request.headers;
    const { query = '', ...parameters } = Object.fromEntries(
      new URL(request.url ?? '', `http://${host}`).searchParams,
    );
    let sql = query;
    for await (const part of request) sql += part;
    const one = { host, sql, parameters };
    asked.push(one);
    try {
      const rows = answer(one, response);
      if (rows === undefined) return;
      response.setHeader('x-clickhouse-summary', `{"result_rows":"${rows.length}"}`);
      const inLines = sql.includes('FORMAT JSONEachRow');
      response.end(inLines ? linesOf(rows) : JSON.stringify({ data: rows }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  return { ...server, host: new URL(server.url).host, asked };
}

function linesOf(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
