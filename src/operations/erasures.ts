/** Erasing playback. `erase` carries an erasure out and shows its progress: cli/maintenance. */
import type { Erasure } from '../catalog/catalog.ts';
import {
  ErasureCounts,
  ErasureList,
  type ErasureReceipt,
  ErasureRequest,
} from '../wire/management/erasure-messages.ts';
import { PageRequest } from '../wire/management-messages.ts';
import { parameterFault } from '../wire/parameters.ts';
import { defineOperation, paginate } from './operation.ts';

export const erasures = [
  defineOperation({
    ...{ method: 'DELETE', url: '/manage/v1/playback', operationId: 'erasePlayback' },
    role: 'manager',
    summary: 'Erase playback for good',
    description:
      'Name one of `view`, `viewer`, `accessKey` and `packageId` (alone or together), `before` ' +
      'alone, or `account`. The answer comes when the erasure is recorded: from then on ' +
      'nothing of it is stored any more. The statistics follow some 12 seconds later, all at ' +
      'once, and `GET /manage/v1/erasures` shows when it is done. What is erased cannot be ' +
      'brought back, and what arrives late of it is accepted and left out.',
    query: ErasureRequest,
    answers: { 200: ErasureCounts },
    faults: ['NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
    audit: ['PLAYBACK_ERASED'],
    serve: async ({ accountId, catalog, service: { eraser }, query }) => {
      requireSubject(query, accountId);
      const { dryRun, account: _, keepSums, ...subject } = query;
      const request = { accountId, ...subject, keepSums: keepSums === 'Y' };
      if (dryRun === 'Y') return { receipt: null, ...(await eraser.count(catalog, request)) };
      const { receipt, views, facts } = await eraser.record(catalog, request);
      return { receipt, views, facts };
    },
  }),

  defineOperation({
    ...{ method: 'GET', url: '/manage/v1/erasures', operationId: 'erasures' },
    role: 'manager',
    summary: 'List the receipts of erasures',
    description: 'The newest 10,000 first. None has the name of a viewer or a view as it was sent.',
    query: PageRequest,
    answers: { 200: ErasureList },
    run: async ({ accountId, catalog, query }) =>
      paginate((await catalog.erasures.list(accountId)).map(toRecord), query),
  }),
];

/** An empty query must not erase everything. */
function requireSubject(query: ErasureRequest, accountId: number): void {
  const { view, viewer, accessKey, packageId, before, account } = query;
  const ofVideos = accessKey !== undefined || packageId !== undefined;
  const named = [view !== undefined, viewer !== undefined, ofVideos].filter(Boolean).length;
  const fault = (parameter: string, detail: string) => parameterFault([{ parameter, detail }]);
  if (named > 1) {
    const other = view === undefined ? 'viewer' : 'view';
    throw fault(other, 'must be given alone, or with before');
  }
  if (account === undefined && named === 0 && before === undefined) {
    const detail = 'name a view, viewer, accessKey, packageId, before, or the account';
    throw fault('account', detail);
  }
  if (account === undefined) return;
  if (named > 0 || before !== undefined) throw fault('account', 'must be given alone');
  if (account !== accountId) throw fault('account', 'is not the account of the key');
}

function toRecord({ videoId, packageId, untilMs, at, endedAt, actor, ...rest }: Erasure) {
  const { receipt, kind, state, views, facts } = rest;
  const record: ErasureReceipt = {
    ...{ receipt, kind, state, views, facts },
    videoId: videoId || null,
    packageId: packageId || null,
    until: new Date(untilMs).toISOString(),
    at: at.toISOString(),
    by: actor,
    doneAt: endedAt?.toISOString() ?? null,
  };
  return record;
}
