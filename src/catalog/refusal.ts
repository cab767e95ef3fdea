import { type Refused, refuse } from '../lib/result.ts';
import { mostLabels } from '../vocabulary/dimensions.ts';

/** Why the catalog refuses a call. The edges turn each into a message. */
export type CatalogRefusal =
  | { readonly code: SimpleRefusal }
  | { readonly code: 'INVALID'; readonly fields: readonly InvalidField[] };

export type SimpleRefusal =
  | 'NO_ACCOUNT'
  | 'NO_FOLDER'
  | 'NO_VIDEO'
  | 'NO_THUMBNAIL'
  | 'NO_PACKAGE'
  | 'NO_PUBLICATION'
  | 'NO_KEY'
  | 'NO_SUSPECT'
  | 'NO_SIGNING_KEY'
  | 'NO_LABEL'
  | 'NO_SHARE'
  | 'NO_ANNOTATION'
  | 'NO_VIEW'
  | 'NO_ALERT'
  | 'NO_REPORT'
  | 'NO_DELIVERY'
  | 'RULE_DELETED'
  | 'LABEL_NAME_USED'
  | 'TOO_MANY_LABELS'
  | 'FOLDER_NOT_EMPTY'
  | 'ACCESS_KEY_USED'
  | 'KEY_ENDED'
  | 'SCOPES_BEYOND_MAKER'
  | 'END_BEYOND_MAKER'
  | 'NOT_A_SECRET'
  | 'NO_PERSON'
  | 'NO_MEMBER'
  | 'NO_INVITATION'
  | 'NO_SESSION'
  | 'EMAIL_USED'
  | 'IDENTITY_USED'
  | 'INVITES_ANOTHER'
  | 'LAST_OWNER'
  | 'HAS_SECOND_FACTOR'
  | 'TOO_MANY_INVITATIONS'
  | 'TOO_MANY_FOLDERS'
  | 'TOO_MANY_PACKAGES'
  | 'TOO_MANY_KEYS'
  | 'TOO_MANY_SHARES'
  | 'TOO_MANY_ANNOTATIONS'
  | 'TOO_MANY_VIEWS'
  | 'TOO_MANY_RULES'
  | 'TOO_MANY_SIGNING_KEYS'
  | 'TOO_MANY_VERDICTS'
  | 'TOO_MANY_ERASURES';

interface InvalidField {
  /** By its name in the catalog, which is also its name on the wire. */
  readonly field: string;
  readonly detail: string;
}

export function refused(code: SimpleRefusal): Refused<CatalogRefusal> {
  return refuse({ code });
}

export function refusedField(field: string, detail: string): Refused<CatalogRefusal> {
  return refuse({ code: 'INVALID', fields: [{ field, detail }] });
}

/** Erasures of an account that are under way. */
export const mostOpenErasures = 100;

/** Saved views of one person in an account, and those of the account itself. */
export const mostSavedViews = 100;

/** Lists without pages are bounded. Deleted folders and packages and revoked keys count too. */
export const countLimits = {
  folders: 10_000,
  packages: 10_000,
  apiKeys: 1_000,
  shares: 1_000,
  annotations: 1_000,
  rules: 100,
  invitations: 1_000,
  // Each has a column of the facts; deleted ones that were used count too.
  labels: mostLabels,
  verdicts: 10_000,
  // Every one may have to be tried for a token.
  signingKeys: 10,
} as const;
