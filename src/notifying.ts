/** Ties together what alerts and reports need from the configuration. */
import type { Config } from './config.ts';
import { assert } from './lib/assert.ts';
import type { Clock } from './lib/clock.ts';
import { readNetworks } from './lib/networks.ts';
import type { Senders } from './notify/delivering/deliver.ts';
import { postWebhook } from './notify/delivering/post-webhook.ts';
import { createSendMail } from './notify/delivering/send-mail.ts';
import { createWebhookSealer } from './notify/delivering/webhook-secret.ts';
import type { RuleDesk } from './notify/read-rule.ts';
import { countrySourceOf } from './wire/country-source.ts';

/** What whoever makes rules needs. */
export function ruleDeskOf({ SMTP_URL }: Config, secret: string): RuleDesk {
  return { sealer: createWebhookSealer(secret), canMail: SMTP_URL !== undefined };
}

export function sendersOf(
  config: Config,
  { secret, clock }: { readonly secret: string; readonly clock: Clock },
): Senders {
  const { WEBHOOK_NETWORKS, SMTP_URL: url, MAIL_FROM: from } = config;
  const countrySource = countrySourceOf(config);
  const ownNetworks = readNetworks(WEBHOOK_NETWORKS);
  assert(ownNetworks, 'the configuration is checked');
  const parts = { policy: { ownNetworks }, sealer: createWebhookSealer(secret), clock };
  return {
    webhook: (delivery) => postWebhook(delivery, parts),
    mail:
      url === undefined || from === undefined
        ? undefined
        : createSendMail({ url, from, countrySource }),
  };
}
