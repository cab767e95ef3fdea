import type { BeaconsAnswer } from '../wire/beacon.ts';
import type { Collector } from './collector.ts';
import type { FactImport } from './fact-import.ts';

type Take = (received: readonly unknown[]) => Promise<BeaconsAnswer>;

interface Ways {
  readonly collector: Pick<Collector, 'collect'>;
  readonly facts: FactImport;
}

/** Takes lines of an import: beacons, and raw facts as `export` writes them. */
export async function collectImported(
  { collector, facts }: Ways,
  received: readonly unknown[],
  accountId: number,
): Promise<BeaconsAnswer> {
  const ways: [isOwn: (line: unknown) => boolean, take: Take][] = [
    [(line) => !isFact(line), (lines) => collector.collect(lines, { accountId })],
    [isFact, (lines) => facts.collect(lines, accountId)],
  ];
  let accepted = 0;
  const rejected: BeaconsAnswer['rejected'] = [];
  for (const [isOwn, take] of ways) {
    const indexes = received.flatMap((line, index) => (isOwn(line) ? [index] : []));
    if (indexes.length === 0) continue;
    const answer = await take(indexes.map((index) => received[index]));
    accepted += answer.accepted;
    for (const one of answer.rejected) {
      rejected.push({ ...one, index: indexes[one.index] as number });
    }
  }
  return { accepted, rejected };
}

/** Only facts name a slot. */
function isFact(line: unknown): boolean {
  return typeof line === 'object' && line !== null && 'slot' in line;
}
