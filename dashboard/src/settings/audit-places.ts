/** Where that which was changed is found, while it is there. */
import type { Role } from '../roles.ts';

interface AuditPlace {
  readonly path: string;
  /** The least that may see it. */
  readonly role: Role;
}

type Find = (object: string) => AuditPlace;

const settings = (part: string, role: Role): Find => {
  return () => ({ path: `/settings/${part}`, role });
};
const video: Find = (key) => ({ path: `/videos/${encodeURIComponent(key)}`, role: 'analyst' });

/** By how the names of actions begin. */
const places: Readonly<Record<string, Find>> = {
  KEY_: settings('keys', 'owner'),
  MEMBER_: settings('people', 'owner'),
  PERSON_: settings('people', 'owner'),
  INVITATION_: settings('people', 'owner'),
  SIGNING_KEY_: settings('signing', 'manager'),
  LABEL_: settings('labels', 'manager'),
  SHARE_: settings('shares', 'analyst'),
  ALERT_: settings('alerts', 'analyst'),
  REPORT_: settings('alerts', 'analyst'),
  PACKAGE_: settings('packages', 'manager'),
  SUSPECT_: settings('suspects', 'manager'),
  FOLDER_: (id) => ({ path: `/library?folder=${encodeURIComponent(id)}`, role: 'analyst' }),
  VIDEO_: video,
  THUMBNAIL: video,
};

const isGone = /_(DELETED|REVOKED|REMOVED)$/;

export function auditPlace(action: string, object: string | null): AuditPlace | undefined {
  if (object === null || isGone.test(action)) return undefined;
  const found = Object.entries(places).find(([start]) => action.startsWith(start));
  return found?.[1](object);
}
