/** What the audit calls things, and what people do. */
import type { AuditEntry } from '../../../client/src/index.ts';
import type { MessageName } from '../language.tsx';

const actions = [
  ...(['ACCOUNT_CREATED', 'ACCOUNT_CHANGED', 'ACCOUNT_CLOSED', 'ACCOUNT_REOPENED'] as const),
  ...(['KEY_CREATED', 'KEY_CHANGED', 'KEY_ROTATED', 'KEY_REVOKED'] as const),
  ...(['MEMBER_ADDED', 'MEMBER_CHANGED', 'MEMBER_REMOVED'] as const),
  ...(['INVITATION_CREATED', 'INVITATION_REVOKED', 'PERSON_CHANGED'] as const),
  ...(['PERSON_CREATED', 'PERSON_REMOVED'] as const),
  ...(['EMAIL_CHANGE_STARTED', 'EMAIL_CHANGED'] as const),
  ...(['SIGNED_IN', 'SIGNED_OUT', 'SIGN_IN_REFUSED', 'SIGN_IN_SLOWED'] as const),
  ...(['PASSWORD_CHANGED', 'RESET_SENT', 'RESET_SHOWN'] as const),
  ...(['RECOVERY_CODE_USED', 'IDENTITY_BOUND'] as const),
  ...(['SECOND_FACTOR_STARTED', 'SECOND_FACTOR_ADDED', 'SECOND_FACTOR_REMOVED'] as const),
  ...(['SIGNING_KEY_ADDED', 'SIGNING_KEY_ROTATED', 'SIGNING_KEY_DELETED'] as const),
  ...(['LABEL_CREATED', 'LABEL_CHANGED', 'LABEL_DELETED'] as const),
  ...(['SHARE_CREATED', 'SHARE_REVOKED'] as const),
  ...(['ANNOTATION_CREATED', 'ANNOTATION_CHANGED', 'ANNOTATION_DELETED'] as const),
  ...(['VIEW_CREATED', 'VIEW_CHANGED', 'VIEW_DELETED'] as const),
  ...(['ALERT_CREATED', 'ALERT_CHANGED', 'ALERT_TESTED', 'ALERT_DELETED'] as const),
  ...(['REPORT_CREATED', 'REPORT_CHANGED', 'REPORT_TESTED', 'REPORT_DELETED'] as const),
  'DELIVERY_REPLAYED',
  ...(['FOLDER_CREATED', 'FOLDER_CHANGED', 'FOLDER_DELETED'] as const),
  ...(['VIDEO_CREATED', 'VIDEO_CHANGED', 'VIDEO_DELETED', 'VIDEOS_IMPORTED'] as const),
  ...(['THUMBNAILS_REPLACED', 'THUMBNAIL_SELECTED'] as const),
  ...(['PACKAGE_CREATED', 'PACKAGE_CHANGED', 'PACKAGE_DELETED'] as const),
  ...(['PUBLISHED', 'PUBLICATION_CHANGED', 'PUBLICATION_RETIRED'] as const),
  ...(['SUSPECT_ACCEPTED', 'SUSPECT_REFUSED', 'PLAYBACK_ERASED', 'SUMS_REPAIRED'] as const),
] as const;

/** Undefined for an action that only a later service knows. */
export function textOfAction(action: string): MessageName | undefined {
  const known = actions.find((one) => one === action);
  return known && `audited.${known}`;
}

/** What the change itself says that its object is called, afterwards or, without that, before. */
export function nameNoted({ before, after }: Pick<AuditEntry, 'before' | 'after'>) {
  const names = [after, before].flatMap((members) => nameMembers.map((name) => members?.[name]));
  return names.find((name): name is string => typeof name === 'string' && name !== '');
}

const nameMembers = ['title', 'folderName', 'packageName', 'name'];

/** Members that are not here are shown as the interface calls them. */
export const memberTexts: Readonly<Partial<Record<string, MessageName>>> = {
  name: 'account.name',
  timeZone: 'account.timeZone',
  takesUnsealed: 'account.takesUnsealed',
  viewers: 'account.viewers',
  closedAt: 'service.closing',
  isOperator: 'service.isOperator',
  email: 'person.email',
  language: 'preferences.language',
  role: 'people.role',
  packageIds: 'settings.packages',
  isConfirmed: 'member.confirmed',
  endsSessions: 'member.endsSessions',
  address: 'sessions.place',
  country: 'me.country',
  device: 'sessions.device',
  scopes: 'keys.scopes',
  expiresAt: 'keys.expires',
  newKeyId: 'member.newKey',
  signingKeyId: 'member.newKey',
  algorithm: 'signing.kind',
  filters: 'member.filters',
  sdate: 'period.from',
  edate: 'period.to',
  lastDays: 'member.lastDays',
  compare: 'compare.label',
  origins: 'shares.sites',
  url: 'member.url',
  isPaused: 'alerts.paused',
  folderName: 'library.folderName',
  folderId: 'video.folder',
  title: 'video.title',
  durationMs: 'video.length',
  fileSizeBytes: 'video.size',
  width: 'member.width',
  height: 'member.height',
  frameRate: 'member.frameRate',
  content: 'video.content',
  tag: 'video.tag',
  series: 'video.series',
  author: 'video.author',
  copyright: 'video.copyright',
  rate: 'video.rate',
  cid: 'video.cid',
  etc: 'video.etc',
  createdAt: 'video.added',
  createdAtMs: 'video.added',
  thumbnailUrl: 'video.thumbnail',
  urls: 'video.thumbnail',
  accessKey: 'video.key',
  packageName: 'packages.name',
  packageId: 'member.package',
  allowedOrigins: 'packages.origins',
  signing: 'packages.signing',
  videoKey: 'member.videoKey',
  serviceAble: 'member.served',
  videos: 'member.videos',
  created: 'member.created',
  changed: 'member.changed',
  verdict: 'suspects.verdict',
};
