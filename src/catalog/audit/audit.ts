import type { Audit, Members } from '../audit.ts';
import type { Database } from '../database/database.ts';
import { createAuditPurge } from './audit-purge.ts';

export function createAudit(database: Database): Audit {
  const { kysely } = database;
  return {
    purge: createAuditPurge(database),

    async list(accountId, { from, to, action, actor, olderThan, limit }) {
      let query = kysely.selectFrom('audit').selectAll().where('accountId', '=', accountId);
      if (from) query = query.where('atMs', '>=', from.getTime());
      if (to) query = query.where('atMs', '<', to.getTime());
      if (action) query = query.where('action', '=', action);
      if (actor) query = query.where('actor', '=', actor);
      if (olderThan) {
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('atMs', 'id'), '<', tuple(olderThan.atMs, olderThan.auditId)),
        );
      }
      const rows = await query.orderBy('atMs', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(({ id, atMs, beforeJson, afterJson, accountId: _, ...row }) => ({
        ...row,
        auditId: id,
        at: new Date(atMs),
        before: membersOf(beforeJson),
        after: membersOf(afterJson),
      }));
    },
  };
}

function membersOf(json: string | null): Members | null {
  return json === null ? null : (JSON.parse(json) as Members);
}
