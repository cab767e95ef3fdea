import type { FastifyInstance } from 'fastify';
import { parseInstant } from '../../lib/instant.ts';
import { auditPlaceOf, auditRecordOf, readAuditPlace } from '../../managing/audit-page.ts';
import { AuditPage, AuditRequest, auditActions } from '../../wire/audit.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { addManageRoute, type ManageParts } from './manage-route.ts';

const actionLines = Object.entries(auditActions).map(
  ([action, meaning]) => `- \`${action}\`: ${meaning}.`,
);

export function addAuditRoutes(app: FastifyInstance, parts: ManageParts): void {
  addManageRoute(
    app,
    parts,
    {
      method: 'GET',
      url: '/manage/v1/audit',
      operationId: 'audit',
      summary: 'Get the audit: who changed what, when, and from where',
      description:
        'Every change through these addresses and the command line, newest first. Entries are ' +
        'written with the change itself and never altered; they are deleted after ' +
        '`AUDIT_DAYS`, and of each action beyond the newest 100,000. They hold no secrets; ' +
        `long texts are cut short.\n\n${actionLines.join('\n')}`,
      query: AuditRequest,
      answers: { 200: AuditPage },
    },
    async ({ caller, catalog, query }) => {
      const { action, actor, pageSize, pageToken } = query;
      const entries = await catalog.audit.list(caller.accountId, {
        from: readInstant('from', query.from),
        to: readInstant('to', query.to),
        action,
        actor,
        olderThan: pageToken === undefined ? undefined : readAuditPlace(pageToken),
        // One more shows whether there is a next page.
        limit: pageSize + 1,
      });
      const page = entries.slice(0, pageSize);
      const last = page.at(-1);
      const nextToken = last && entries.length > pageSize ? auditPlaceOf(last) : null;
      return { status: 200, body: { list: page.map(auditRecordOf), nextToken } };
    },
  );
}

function readInstant(parameter: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const instantMs = parseInstant(text);
  if (instantMs !== undefined) return new Date(instantMs);
  const detail = 'must be an existing date and time, such as 2026-11-20T10:15:30.123Z';
  throw parameterFault([{ parameter, detail }]);
}
