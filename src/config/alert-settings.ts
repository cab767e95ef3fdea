/** The settings of webhooks and mail; part of config.ts. */
import Type from 'typebox';
import { readNetworks } from '../lib/network/network-list.ts';
import { checked, isUrl, text } from './setting-types.ts';

const smtpExample = 'smtp://user:password@mail.example.com:587';

export const notifySettings = {
  WEBHOOK_NETWORKS: checked(
    text(
      'Networks that are not public to which webhooks may be sent nonetheless, also without TLS: ' +
        'private, loopback, 10.1.0.0/16, or none',
      'none',
    ),
    (value) => readNetworks(value) !== undefined,
    'must be networks such as private, loopback, 10.1.0.0/16, or none',
  ),
  SMTP_URL: Type.Optional(
    checked(
      Type.String({
        description:
          'Mail server for alerts and reports: smtp:// (with STARTTLS) or smtps://, with user ' +
          'and password percent-encoded; default: no mail is sent',
        examples: [smtpExample],
      }),
      (value) => isUrl(value, ['smtp:', 'smtps:']) && /^[a-z]+:\/\/[^/?#,]+\/?$/.test(value),
      `must be a URL such as ${smtpExample}`,
    ),
  ),
  MAIL_FROM: Type.Optional(
    checked(
      Type.String({
        description: 'Sender of these mails; SMTP_URL needs it',
        examples: ['Playmeter <playmeter@example.com>'],
      }),
      (value) => /^([^<>\p{Cc}"]{1,100} <)?[^\s<>@]+@[a-z0-9.-]+>?$/iu.test(value),
      'must be a mail address such as playmeter@example.com, or Name <playmeter@example.com>',
    ),
  ),
};
