import { readFile } from 'node:fs/promises';
import { accessFile, type EngineAccess } from './engine.ts';

const answerWithinMs = 2_000;

/** The engine of a service that runs on the same data, so that a verb can work beside it. */
export async function findRunningEngine(folder: string): Promise<EngineAccess | undefined> {
  const text = await readFile(accessFile(folder), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const access = JSON.parse(text) as EngineAccess;
  const answer = await fetch(`${access.url}/?query=SELECT+1`, {
    headers: { 'X-ClickHouse-User': access.username, 'X-ClickHouse-Key': access.password },
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch(() => undefined);
  return answer?.ok ? access : undefined;
}
