import Type from 'typebox';
import type { AuditEntry, AuditPlace } from '../catalog/catalog.ts';
import { dayMs } from '../lib/time/utc-day.ts';
import {
  AuditFilters,
  AuditPage,
  type AuditRecord,
  AuditRequest,
  auditActions,
} from '../vocabulary/audit-actions.ts';
import { checkInstants, toDate } from '../wire/instants.ts';
import { checkMessage } from '../wire/message-check.ts';
import { optional, readDayOrInstant, wholeNumberReader } from './command-options.ts';
import { defineOperation } from './operation.ts';

const actionLines = Object.entries(auditActions).map(
  ([action, meaning]) => `- \`${action}\`: ${meaning}.`,
);
/** Of the command line, which has no further pages. */
const entryLimit = 100_000;

export const audit = [
  defineOperation({
    ...{ method: 'GET', url: '/manage/v1/audit', operationId: 'audit' },
    role: 'analyst',
    isPinned: true,
    summary: 'Get the audit: who changed what, when, and from where',
    description:
      'Every change through these addresses and the command line, newest first. Entries are ' +
      'written with the change itself and never altered; they are deleted after ' +
      '`AUDIT_DAYS`, and of each action beyond the newest 100,000. They hold no secrets; ' +
      `long texts are cut short.\n\n${actionLines.join('\n')}`,
    query: AuditRequest,
    check: (some) => checkInstants(some, ['from', 'to']),
    answers: { 200: AuditPage },
    run: async ({ accountId, catalog, query }) => {
      const { action, actor, pageSize, pageToken } = query;
      const entries = await catalog.audit.list(accountId, {
        from: toDate(query.from),
        to: toDate(query.to),
        action,
        actor,
        olderThan: pageToken === undefined ? undefined : readPlace(pageToken),
        limit: pageSize + 1,
      });
      return createPage(entries, pageSize);
    },
    commands: [
      {
        words: 'audit list',
        summary: 'List who changed what in an account, when, and from where; newest first',
        options: {
          from: {
            ...optional('from', 'First day (UTC) to list, or the instant to start at', 'DATE'),
            read: (text) => readDayOrInstant('from', text, 0),
          },
          to: {
            ...optional('to', 'Last day (UTC) to list, or the instant to stop before', 'DATE'),
            read: (text) => readDayOrInstant('to', text, dayMs),
          },
          action: {
            ...optional('action', 'Only this kind of change, such as KEY_CREATED', 'ACTION'),
            read: (action) => checkMessage(AuditFilters, { action }).action,
          },
          actor: {
            ...optional('actor', 'Only changes by KEY:ID, COMMAND_LINE or SERVICE', 'WHO'),
            read: (actor) => checkMessage(AuditFilters, { actor }).actor,
          },
          limit: {
            ...optional(
              'pageSize',
              `How many entries to list, newest first; at most ${entryLimit}`,
              'N',
            ),
            default: '1000',
            read: wholeNumberReader('pageSize', entryLimit, 'must be at most'),
          },
        },
        show: ({ list }) => ({ json: { auditList: list }, lines: list.map(describe) }),
      },
    ],
  }),
];

/** For whoever looks after the service; what is in accounts is not in it. */
export const serviceAudit = [
  defineOperation({
    ...{ method: 'GET', url: '/manage/v1/service/audit', operationId: 'serviceAudit' },
    role: 'operator',
    summary: 'Get the audit of the service, as an operator',
    description:
      'What was done to accounts and people of the service, and by whom; newest first. Of whoever ' +
      'is a member of no open account, what else is in the audit of accounts is here. Of each ' +
      'action the newest 100,000 entries are kept.',
    query: Type.Pick(AuditRequest, ['pageSize', 'pageToken']),
    answers: { 200: AuditPage },
    serve: async ({ catalog, query: { pageSize, pageToken } }) => {
      const olderThan = pageToken === undefined ? undefined : readPlace(pageToken);
      return createPage(
        await catalog.audit.listOfService({ olderThan, limit: pageSize + 1 }),
        pageSize,
      );
    },
  }),
];

/** Of one entry more than the page has, which shows whether there is a next one. */
function createPage(entries: readonly AuditEntry[], pageSize: number) {
  const page = entries.slice(0, pageSize);
  const last = page.at(-1);
  const nextToken = last && entries.length > pageSize ? writePlace(last) : null;
  return { list: page.map(toRecord), nextToken };
}

function describe({ at, actor, actorName, address, action, object, before, after }: AuditRecord) {
  const who = [actor, actorName, address ?? ''].filter((word) => word !== '').join(' ');
  const what = [before, after].map((members) => (members ? JSON.stringify(members) : '-'));
  return [at, who, action, object ?? '', what.join(' -> ')].join('\t');
}

function toRecord(entry: AuditEntry): AuditRecord {
  const { auditId, at, actor, actorName, address, action, object, before, after } = entry;
  const by = { actor, actorName, address };
  return { auditId, at: at.toISOString(), ...by, action, object, before, after };
}

/** Where the next page goes on, as text; `readPlace` reads it. */
function writePlace({ at, auditId }: AuditEntry): string {
  return `${at.getTime()}-${auditId}`;
}

function readPlace(text: string): AuditPlace {
  const [atMs = 0, auditId = 0] = text.split('-').map(Number);
  return { atMs, auditId };
}
