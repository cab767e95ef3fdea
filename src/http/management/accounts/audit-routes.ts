import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { parseInstant } from '../../../lib/time/instant.ts';
import { auditPlaceOf, auditRecordOf, readAuditPlace } from '../../../operations/audit-page.ts';
import { AuditPage, AuditRequest, auditActions } from '../../../vocabulary/audit-actions.ts';
import type { ParameterFault } from '../../../vocabulary/faults.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';

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
      check: checkInstants,
      answers: { 200: AuditPage },
    },
    async ({ caller, catalog, query }) => {
      const { action, actor, pageSize, pageToken } = query;
      const entries = await catalog.audit.list(caller.accountId, {
        from: dateOf(query.from),
        to: dateOf(query.to),
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

function checkInstants(some: Partial<Static<typeof AuditRequest>>): ParameterFault[] {
  const detail = 'must be an existing date and time, such as 2026-11-20T10:15:30.123Z';
  return (['from', 'to'] as const).flatMap((parameter) => {
    const text = some[parameter];
    const isWrong = text !== undefined && parseInstant(text) === undefined;
    return isWrong ? [{ parameter, detail }] : [];
  });
}

/** Of an instant that was checked. */
function dateOf(text: string | undefined): Date | undefined {
  const instantMs = text === undefined ? undefined : parseInstant(text);
  return instantMs === undefined ? undefined : new Date(instantMs);
}
