/** Entries of the audit, as they are answered. Pure. */
import type { AuditEntry, AuditPlace } from '../catalog/catalog.ts';
import type { AuditRecord } from '../vocabulary/audit-actions.ts';

export function auditRecordOf(entry: AuditEntry): AuditRecord {
  const { auditId, at, actor, actorName, address, action, object, before, after } = entry;
  const by = { actor, actorName, address };
  return { auditId, at: at.toISOString(), ...by, action, object, before, after };
}

/** Where the next page goes on, as text; `readAuditPlace` reads it. */
export function auditPlaceOf({ at, auditId }: AuditEntry): string {
  return `${at.getTime()}-${auditId}`;
}

export function readAuditPlace(text: string): AuditPlace {
  const [atMs = 0, auditId = 0] = text.split('-').map(Number);
  return { atMs, auditId };
}
