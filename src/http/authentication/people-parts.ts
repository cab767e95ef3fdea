/** What all routes about people have in common. */
import type { Catalog, SessionPlace } from '../../catalog/catalog.ts';
import type { LimiterOf } from '../../lib/limits/limiter.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { PeopleService } from '../../operations/operation.ts';
import { takesKeys } from '../../operations/people/key-sign-in.ts';
import { createProofs } from '../../operations/people/proofs.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Sent } from '../server/sender-address.ts';
import type { OidcParts } from './oidc/oidc-routes.ts';
import { createBeginForPerson } from './session-routes.ts';

/** An account is no way to send mails to strangers by the thousand. */
const mailsPerMinute = 20;
const linksPerMinute = 2;

/** From the configuration. */
export interface PeopleSettings
  extends Pick<PeopleService, 'passwords' | 'secondFactorSealer' | 'sendMail' | 'url'> {
  /** Undefined: while there is no person. */
  readonly keySignIn: 'on' | 'off' | undefined;
  readonly takesPasswords: boolean;
  /** Undefined: there is no provider. */
  readonly oidc: OidcParts | undefined;
}

interface Needs {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
  readonly limiterOf: LimiterOf;
  readonly placeOf: (sent: Sent) => SessionPlace;
}

export function createPeopleParts(settings: PeopleSettings, needs: Needs) {
  const { catalog, clock } = needs;
  const proofs = createProofs({ ...settings, ...needs });
  const mails = needs.limiterOf('mails of an account', mailsPerMinute, 'exact');
  const links = needs.limiterOf('links for a person', linksPerMinute, 'exact');
  const people: Omit<PeopleService, 'address'> = {
    ...{ ...settings, proofs, clock },
    async takeMail(accountId) {
      const { consumed, msBeforeNext } = await mails.consume(String(accountId));
      if (consumed <= mailsPerMinute) return;
      throw new Fault('RATE_LIMITED', `An account sends ${mailsPerMinute} such mails a minute`, {
        ...{ retryAfterSeconds: Math.ceil(msBeforeNext / 1_000), limit: 'mails of an account' },
      });
    },
    maySendLink: async (kind, personId) =>
      (await links.consume(`${kind} ${personId}`)).consumed <= linksPerMinute,
  };
  let isSomebodyThere = false;
  async function hasPeople(): Promise<boolean> {
    isSomebodyThere ||= await catalog.people.exist();
    return isSomebodyThere;
  }
  return {
    people,
    proofs,
    passwords: settings.passwords,
    sendMail: settings.sendMail,
    takesPasswords: settings.takesPasswords,
    url: settings.url,
    oidc: settings.oidc,
    takesKeys: async () => takesKeys(settings.keySignIn, await hasPeople()),
    hasPeople,
    beginForPerson: createBeginForPerson({ ...settings, ...needs }),
  };
}

export type PeopleParts = ReturnType<typeof createPeopleParts>;
