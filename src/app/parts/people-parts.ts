/** What the sign-in of people takes from the configuration. */
import { createMailTransport } from '../../alerts/delivery/mail-sender.ts';
import type { Config } from '../../config/config.ts';
import type { OidcParts } from '../../http/authentication/oidc/oidc-routes.ts';
import { createProvider } from '../../http/authentication/oidc/provider.ts';
import type { PeopleSettings } from '../../http/authentication/people-parts.ts';
import { assert } from '../../lib/assert.ts';
import { createPasswords } from '../../lib/password-hash.ts';
import { createSealer } from '../../lib/sealer.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { PersonMail, SendPersonMail } from '../../operations/people/mails.ts';
import { readClaimRules } from '../../vocabulary/claim-rules.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { readPublicUrl } from '../own-urls.ts';

/** Never changes: what was sealed for it is opened for it. */
const sealedFor = 'playmeter second factor v1';

interface Log {
  warn(fields: object, message: string): void;
}

export function createPeopleSettings(
  config: Config,
  {
    secret,
    clock,
    logger,
  }: { readonly secret: string; readonly clock: Clock; readonly logger: Log },
): PeopleSettings {
  const tooMany = () =>
    new Fault('UNAVAILABLE', 'Too many people sign in at once', {
      retryAfterSeconds: 5,
      reason: 'overload',
    });
  return {
    passwords: createPasswords(clock, tooMany),
    secondFactorSealer: createSealer(secret, sealedFor),
    sendMail: sendMailBy(config, { clock, logger }),
    url: readPublicUrl(config) ?? '',
    keySignIn: config.KEY_SIGN_IN,
    takesPasswords: config.PASSWORD_SIGN_IN === 'on',
    oidc: createOidc(config, secret),
  };
}

function createOidc(config: Config, secret: string): OidcParts | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = config;
  const publicUrl = readPublicUrl(config);
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) return undefined;
  const rules = readClaimRules(config.OIDC_ROLES ?? '[]');
  assert(rules, 'the configuration is checked');
  const redirectUri = `${publicUrl}/session/oidc`;
  const clientSecret = config.OIDC_CLIENT_SECRET;
  const scopes = config.OIDC_SCOPES;
  return {
    provider: createProvider({ issuer, clientId, clientSecret, scopes, redirectUri }),
    ...{ rules, redirectUri, host: new URL(issuer).host },
    errandSealer: createSealer(secret, 'playmeter errand v1'),
  };
}

function sendMailBy(
  config: Config,
  { clock, logger }: { readonly clock: Clock; readonly logger: Log },
): SendPersonMail | undefined {
  const send = createPersonMailer(config, clock);
  if (send === undefined) return undefined;
  return (mail) =>
    void send(mail).then((error) => {
      // Neither the address nor the text: it has a link.
      if (error !== undefined) logger.warn({ error }, 'a mail to a person was not sent');
    });
}

/**
 * Resolves to why it was not sent. Undefined where no mail is sent: the links in these mails are of
 * PUBLIC_URL, because what a request names as the host is not believed.
 */
export function createPersonMailer(
  { SMTP_URL: url, MAIL_FROM: from, PUBLIC_URL }: Config,
  clock: Clock,
) {
  if (url === undefined || from === undefined || PUBLIC_URL === undefined) return undefined;
  const send = createMailTransport({ url, from, clock });
  return async ({ to, subject, text }: PersonMail): Promise<string | undefined> => {
    const { isDelivered, error } = await send({ to, subject, text });
    return isDelivered ? undefined : (error ?? 'not sent');
  };
}
