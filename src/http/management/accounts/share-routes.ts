import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Share } from '../../../catalog/catalog.ts';
import { accepted } from '../../../operations/refusal-faults.ts';
import { pathOfShare, recordOfShare } from '../../../operations/shares.ts';
import { declaredLabels } from '../../../query/parse/declared-labels.ts';
import { readShare } from '../../../query/shares/share-parser.ts';
import {
  NewShareRecord,
  ShareFields,
  ShareList,
  ShareRecord,
} from '../../../wire/management/shares.ts';
import { PageRequest } from '../../../wire/management-messages.ts';
import { pageOf } from '../list-page.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';

const url = '/manage/v1/shares';
const path = Type.Object({ shareId: ShareRecord.properties.shareId });

export function addShareRoutes(app: FastifyInstance, parts: ManageParts): void {
  addManageRoute(
    app,
    parts,
    {
      method: 'GET',
      url,
      operationId: 'shares',
      summary: 'List all shares',
      description: 'Including those that have expired. A revoked share is in the audit alone.',
      query: PageRequest,
      answers: { 200: ShareList },
    },
    async ({ caller, catalog, query }) => {
      const shares: Share[] = await catalog.shares.list(caller.accountId);
      return { status: 200, body: pageOf(shares.map(recordOfShare), query) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      method: 'POST',
      url,
      operationId: 'addShare',
      summary: 'Create a share',
      description:
        'A share shows one view of the dashboard to whoever has its link: the overview, or a ' +
        'video. Whatever its page asks, the answer is of the days, filters, video and package ' +
        'given here. Only this answer contains the link. The sending key must have the scope ' +
        '`stats:read`, and the share may not expire later than the key (`403`).',
      body: ShareFields,
      answers: { 201: NewShareRecord },
      faults: ['NOT_FOUND'],
    },
    async ({ caller: { accountId }, catalog, body }) => {
      const labels = await declaredLabels(catalog.labels, accountId);
      const made = await catalog.shares.create(readShare(body, { accountId, labels }));
      const { share, token } = accepted(made);
      return { status: 201, body: { ...recordOfShare(share), path: pathOfShare(token) } };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      method: 'DELETE',
      url: `${url}/:shareId`,
      operationId: 'revokeShare',
      summary: 'Revoke a share',
      description: 'On this node its link shows nothing at once, on other nodes within a second.',
      path,
      answers: { 204: null },
    },
    async ({ caller: { accountId }, catalog, path: { shareId } }) => {
      accepted(await catalog.shares.revoke({ accountId, shareId }));
      return { status: 204 };
    },
  );
}
