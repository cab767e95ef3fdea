/** Ties together what alerts and reports need from the configuration. */

import type { Senders } from '../../alerts/delivery/delivery-job.ts';
import { createSendMail } from '../../alerts/delivery/mail-sender.ts';
import { postWebhook } from '../../alerts/delivery/webhook.ts';
import { createWebhookSealer } from '../../alerts/delivery/webhook-secret.ts';
import type { RuleContext } from '../../alerts/rule-parser.ts';
import type { Config } from '../../config/config.ts';
import { assert } from '../../lib/assert.ts';
import { readNetworks } from '../../lib/network/network-list.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { findCountrySource } from '../../vocabulary/country-source.ts';
import { readPublicUrl } from '../own-urls.ts';

/** What whoever makes rules needs. */
export function createRuleContext({ SMTP_URL }: Config, secret: string): RuleContext {
  return { sealer: createWebhookSealer(secret), canMail: SMTP_URL !== undefined };
}

export function createSenders(
  config: Config,
  { secret, clock }: { readonly secret: string; readonly clock: Clock },
): Senders {
  const { WEBHOOK_NETWORKS, SMTP_URL: url, MAIL_FROM: from } = config;
  const countrySource = findCountrySource(config);
  const ownNetworks = readNetworks(WEBHOOK_NETWORKS);
  assert(ownNetworks, 'the configuration is checked');
  const parts = { policy: { ownNetworks }, sealer: createWebhookSealer(secret), clock };
  return {
    webhook: (delivery) => postWebhook(delivery, parts),
    mail:
      url === undefined || from === undefined
        ? undefined
        : createSendMail({ url, from, clock, countrySource, publicUrl: readPublicUrl(config) }),
  };
}
