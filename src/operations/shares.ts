import Type from 'typebox';
import type { Share, ShareToken } from '../catalog/catalog.ts';
import { declaredLabels } from '../query/parse/dimension-parser.ts';
import { readShare } from '../query/shares/share-parser.ts';
import { NewShareRecord, ShareFields, ShareList, ShareRecord } from '../wire/management/shares.ts';
import { PageRequest } from '../wire/management-messages.ts';
import { lastDayOption, optional, readId, required } from './command-options.ts';
import { defineOperation, paginate } from './operation.ts';
import { accepted } from './refusal-faults.ts';

const url = '/manage/v1/shares';

export const shares = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'shares' },
    role: 'analyst',
    isPinned: true,
    summary: 'List all shares',
    description: 'Including those that have expired. A revoked share is in the audit alone.',
    query: PageRequest,
    answers: { 200: ShareList },
    run: async ({ accountId, catalog, query }) =>
      paginate((await catalog.shares.list(accountId)).map(toRecord), query),
    commands: [
      {
        words: 'share list',
        summary: 'List the links that show a view of the dashboard, expired ones included',
        options: {},
        show: ({ list }) => ({ json: { shareList: list }, lines: list.map(describe) }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url, operationId: 'addShare' },
    role: 'analyst',
    isPinned: true,
    summary: 'Create a share',
    description:
      'A share shows one view of the dashboard to whoever has its link: the overview, or a ' +
      'video. Whatever its page asks, the answer is of the days, filters, video and package ' +
      'given here. Only this answer contains the link. The sending key must have the scope ' +
      '`stats:read`, and the share may not expire later than the key (`403`).',
    body: ShareFields,
    answers: { 201: NewShareRecord },
    faults: ['NOT_FOUND'],
    audit: ['SHARE_CREATED'],
    run: async ({ accountId, catalog, body }) => {
      const labels = await declaredLabels(catalog.labels, accountId);
      const made = await catalog.shares.create(readShare(body, { accountId, labels }));
      const { share, token } = accepted(made);
      return { ...toRecord(share), path: pathOfShare(token) };
    },
    commands: [
      {
        words: 'share create',
        summary: 'Make a link that shows one view of the dashboard; it is shown only once',
        options: {
          name: required('name', 'Its name, which the page shows as its title', 'NAME'),
          'access-key': optional('accessKey', 'The video it shows; default: the overview', 'K'),
          package: {
            ...optional('packageId', 'Only playback in this package', 'ID'),
            read: readId,
          },
          filter: optional('filters', 'Only where these conditions hold, as in query', 'F'),
          from: optional('sdate', 'First day', 'DATE'),
          to: optional('edate', 'Last day', 'DATE'),
          'last-days': optional(
            'lastDays',
            'Instead of --from and --to: the last N days, today included',
            'N',
          ),
          compare: optional(
            'compare',
            'Also show days before: none (default), previous, weekdays, year',
            'C',
          ),
          'time-zone': optional(
            'timeZone',
            "Zone of days and hours; default: the account's",
            'ZONE',
          ),
          embed: optional(
            'origins',
            'Sites whose pages may embed it, separated by commas',
            'ORIGINS',
          ),
          expires: lastDayOption,
        },
        show: ({ shareId, path }, { publicUrl }) => {
          const link = publicUrl + path;
          return { json: { shareId, link }, lines: [link] };
        },
      },
    ],
  }),

  defineOperation({
    ...{ method: 'DELETE', url: `${url}/:shareId`, operationId: 'revokeShare' },
    role: 'analyst',
    isPinned: true,
    summary: 'Revoke a share',
    description: 'On this node its link shows nothing at once, on other nodes within a second.',
    path: Type.Object({ shareId: ShareRecord.properties.shareId }),
    answers: { 204: null },
    audit: ['SHARE_REVOKED'],
    run: async ({ accountId, catalog, path }) => {
      accepted(await catalog.shares.revoke({ accountId, ...path }));
      return path;
    },
    commands: [
      {
        words: 'share revoke',
        summary:
          'Revoke a link to a view of the dashboard; a running service follows within a second',
        options: { share: required('shareId', 'Share id', 'ID') },
        show: ({ shareId }) => ({ json: { shareId }, lines: [`Revoked share ${shareId}`] }),
      },
    ],
  }),
];

function describe(share: ShareRecord): string {
  const { lastDays, sdate, edate, accessKey, expiresAt } = share;
  const days = lastDays === null ? `${sdate} to ${edate}` : `last days: ${lastDays}`;
  const view = accessKey === null ? 'overview' : `video ${accessKey}`;
  const end = expiresAt === null ? 'never expires' : `expires ${expiresAt}`;
  return [share.shareId, share.name, view, days, end].join('\t');
}

/** Its link, after the URL of the service; the secret is in the fragment. */
function pathOfShare({ start, secret }: ShareToken): string {
  return `/shared/${start}#${secret}`;
}

function toRecord(share: Share): ShareRecord {
  const { shareId, name, compare, timeZone, createdBy, createdByName, period } = share;
  const days = 'from' in period ? period : undefined;
  return {
    ...{ shareId, name },
    accessKey: share.accessKey ?? null,
    packageId: share.packageId ?? null,
    filters: share.filters || null,
    sdate: days?.from ?? null,
    edate: days?.to ?? null,
    lastDays: 'lastDays' in period ? period.lastDays : null,
    ...{ compare, timeZone },
    origins: [...share.origins],
    createdAt: share.createdAt.toISOString(),
    expiresAt: share.expiresAt?.toISOString() ?? null,
    ...{ createdBy, createdByName },
    ...(share.packageIds && { packageIds: [...share.packageIds] }),
  };
}
