/** How processes share the work of a node, and nodes that of a service: who makes the sums. */

import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { reports, rollsUp } from '../../http/authentication/role-answers.ts';
import { listFolders } from '../../lib/folders.ts';
import type { Facts, RollUpSharing } from '../../store/open-facts.ts';
import type { Role } from '../../vocabulary/roles.ts';
import type { WorkerLink } from '../workers/worker-link.ts';

interface NodeParts {
  readonly role?: Role;
  readonly worker?: WorkerLink;
}

/** Of the processes of a node that rolls up, the first does. */
export function chooseSharing({ role = 'all', worker }: NodeParts): RollUpSharing {
  const follows = !rollsUp(role) || (worker !== undefined && worker.number > 1);
  const needsNoSums = !reports(role);
  const isFollowed = role === 'roll-up';
  if (!worker || !rollsUp(role)) return { follows, isFollowed, needsNoSums };
  const { state } = worker;
  if (follows) return { follows, needsNoSums, reported: () => state().completeThrough };
  return { isFollowed, othersStoredThrough: () => state().storedThrough };
}

export function describeNode({ role = 'all', worker }: NodeParts) {
  if (!worker) return { role };
  const { count: processes, metricsOfAll } = worker;
  return { role, processes, metricsOfAll };
}

export function tellParent({ worker }: NodeParts, facts: Facts, metrics: Registry): () => void {
  if (!worker) return () => {};
  const state = () => ({
    storedThrough: facts.storedThrough(),
    completeThrough: facts.completeThrough(),
    isReady: facts.whyNotReady() === undefined,
  });
  return worker.tell(state, metrics);
}

/** Each worker has a journal of its own; the first has that of a service of one process. */
export function nameJournal(dataFolder: string, worker = 1): string {
  const folder = join(dataFolder, 'journal');
  return worker === 1 ? folder : join(folder, `worker-${worker}`);
}

/** Of an earlier run with more workers than now. */
export async function leftJournals(dataFolder: string, workers = 1): Promise<string[]> {
  const folder = nameJournal(dataFolder);
  const left = (await listFolders(folder)).filter((name) => {
    const number = /^worker-(\d+)$/.exec(name)?.[1];
    return number !== undefined && Number(number) > workers;
  });
  return left.map((name) => join(folder, name));
}
