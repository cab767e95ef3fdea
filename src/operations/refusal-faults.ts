/** The catalog's refusals -> the faults that callers get: all refusals in one table. */
import {
  type CatalogRefusal,
  countLimits,
  mostOpenErasures,
  mostSavedViews,
  type SimpleRefusal,
} from '../catalog/catalog.ts';
import type { Result } from '../lib/result.ts';
import { Fault, type FaultCode } from '../vocabulary/faults.ts';
import { parameterFault } from '../wire/parameters.ts';

const { folders, packages, apiKeys, labels, shares, rules, signingKeys, verdicts } = countLimits;
const { invitations, annotations } = countLimits;

const faults: Readonly<Record<SimpleRefusal, readonly [FaultCode, string]>> = {
  NO_ACCOUNT: ['NOT_FOUND', 'There is no such account'],
  NO_FOLDER: ['NOT_FOUND', 'There is no such folder'],
  NO_VIDEO: ['NOT_FOUND', 'There is no such video'],
  NO_THUMBNAIL: ['NOT_FOUND', 'There is no such thumbnail'],
  NO_PACKAGE: ['NOT_FOUND', 'There is no such package'],
  NO_PUBLICATION: ['NOT_FOUND', 'The video is not in that package'],
  NO_KEY: ['NOT_FOUND', 'There is no such key'],
  NO_SUSPECT: ['NOT_FOUND', 'There is no such suspect'],
  NO_SIGNING_KEY: ['NOT_FOUND', 'There is no such signing key'],
  NO_LABEL: ['NOT_FOUND', 'There is no such label'],
  NO_SHARE: ['NOT_FOUND', 'There is no such share'],
  NO_ANNOTATION: ['NOT_FOUND', 'There is no such annotation'],
  NO_VIEW: ['NOT_FOUND', 'There is no such saved view'],
  NO_ALERT: ['NOT_FOUND', 'There is no such alert'],
  NO_REPORT: ['NOT_FOUND', 'There is no such report'],
  NO_DELIVERY: ['NOT_FOUND', 'There is no such delivery'],
  RULE_DELETED: ['CONFLICT', 'Its alert or report was deleted'],
  LABEL_NAME_USED: ['CONFLICT', 'The account has, or had, another label of this name'],
  TOO_MANY_LABELS: [
    'CONFLICT',
    `An account has at most ${labels} labels, deleted ones that were used included: rename one`,
  ],
  FOLDER_NOT_EMPTY: ['CONFLICT', 'The folder still contains videos'],
  ACCESS_KEY_USED: ['CONFLICT', 'The accessKey was used before'],
  KEY_ENDED: ['CONFLICT', 'The key has already been revoked or has expired'],
  NOT_A_SECRET: ['CONFLICT', 'Only a secret can be rotated: add the new public key'],
  SCOPES_BEYOND_MAKER: [
    'FORBIDDEN',
    'A key makes only what needs no more scopes than it has itself; shares, alerts and reports ' +
      'need stats:read',
  ],
  END_BEYOND_MAKER: [
    'FORBIDDEN',
    'A key that expires makes only keys and shares that expire no later, and no signing keys, ' +
      'alerts or reports',
  ],
  NO_PERSON: ['NOT_FOUND', 'There is no such person'],
  NO_MEMBER: ['NOT_FOUND', 'There is no such member'],
  NO_INVITATION: ['NOT_FOUND', 'There is no such invitation'],
  NO_SESSION: ['NOT_FOUND', 'There is no such session'],
  EMAIL_USED: ['CONFLICT', 'Somebody has this mail address: sign in first'],
  IDENTITY_USED: ['CONFLICT', 'This identity of the provider is that of another person'],
  INVITES_ANOTHER: ['FORBIDDEN', 'The invitation is for another mail address'],
  LAST_OWNER: ['CONFLICT', 'An account has at least one owner: make somebody else one first'],
  HAS_SECOND_FACTOR: ['CONFLICT', 'There is a second factor, or none that waits to be confirmed'],
  TOO_MANY_INVITATIONS: [
    'CONFLICT',
    `An account has at most ${invitations} open invitations: revoke some`,
  ],
  TOO_MANY_FOLDERS: ['CONFLICT', `An account has at most ${folders} folders`],
  TOO_MANY_PACKAGES: ['CONFLICT', `An account has at most ${packages} packages`],
  TOO_MANY_KEYS: ['CONFLICT', `An account has at most ${apiKeys} API keys`],
  TOO_MANY_ERASURES: [
    'CONFLICT',
    `At most ${mostOpenErasures} erasures of an account go on at once: wait until some are done`,
  ],
  TOO_MANY_SHARES: ['CONFLICT', `An account has at most ${shares} shares: revoke some`],
  TOO_MANY_ANNOTATIONS: [
    'CONFLICT',
    `An account has at most ${annotations} annotations: delete some`,
  ],
  TOO_MANY_VIEWS: [
    'CONFLICT',
    `At most ${mostSavedViews} views are kept by one person, and as many by the account: delete some`,
  ],
  TOO_MANY_RULES: ['CONFLICT', `An account has at most ${rules} alerts and reports: delete some`],
  TOO_MANY_VERDICTS: ['CONFLICT', `An account has at most ${verdicts} verdicts`],
  TOO_MANY_SIGNING_KEYS: ['CONFLICT', `An account has at most ${signingKeys} signing keys`],
};

export function toFault(refusal: CatalogRefusal): Fault {
  if (refusal.code === 'INVALID') {
    return parameterFault(
      refusal.fields.map(({ field, detail }) => ({ parameter: field, detail })),
    );
  }
  return new Fault(...faults[refusal.code]);
}

/** In the words of a report, with every field that is wrong. */
export function describeRefusal(reason: string | CatalogRefusal | Fault): string {
  if (typeof reason === 'string') return reason;
  const { errors, message } = reason instanceof Fault ? reason : toFault(reason);
  return errors?.map(({ parameter, detail }) => `${parameter} ${detail}`).join('; ') ?? message;
}

/** Returns the value, or throws the refusal as a fault. For api and cli. */
export function accepted<Value>(result: Result<Value, CatalogRefusal | Fault>): Value {
  if (result.ok) return result.value;
  throw result.reason instanceof Fault ? result.reason : toFault(result.reason);
}

/** Returns what was found, or throws NOT_FOUND. */
export function found<Value>(value: Value | undefined, refusal: SimpleRefusal): Value {
  if (value === undefined) throw toFault({ code: refusal });
  return value;
}
