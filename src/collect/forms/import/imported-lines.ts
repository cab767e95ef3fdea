import type { BeaconsAnswer, ImportAnswer } from '../../../wire/beacons/beacon.ts';
import type { Collector } from '../../collector.ts';
import type { FactImport } from './fact-import.ts';

type Take = (received: readonly unknown[]) => Promise<ImportAnswer>;

interface Ways {
  readonly collector: Pick<Collector, 'collectHistory'>;
  readonly facts: FactImport;
}

/** Takes lines of an import: beacons, and raw facts as `export` writes them. */
export async function collectImported(
  { collector, facts }: Ways,
  received: readonly unknown[],
  accountId: number,
): Promise<ImportAnswer> {
  const ways: [isOwn: (line: unknown) => boolean, take: Take][] = [
    [(line) => !isFact(line), (lines) => collector.collectHistory(lines, accountId)],
    [isFact, (lines) => facts.collect(lines, accountId)],
  ];
  let accepted = 0;
  let erased = 0;
  const rejected: BeaconsAnswer['rejected'] = [];
  for (const [isOwn, take] of ways) {
    const indexes = received.flatMap((line, index) => (isOwn(line) ? [index] : []));
    if (indexes.length === 0) continue;
    const answer = await take(indexes.map((index) => received[index]));
    accepted += answer.accepted;
    erased += answer.erased;
    for (const one of answer.rejected) {
      rejected.push({ ...one, index: indexes[one.index] as number });
    }
  }
  return { accepted, rejected, erased };
}

/** Only facts name a slot. */
function isFact(line: unknown): boolean {
  return typeof line === 'object' && line !== null && 'slot' in line;
}
