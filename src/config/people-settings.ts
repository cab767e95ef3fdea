/** The settings of how people sign in; part of config.ts. */
import Type from 'typebox';
import { readClaimRules } from '../vocabulary/claim-rules.ts';
import { checked, isUrl, text } from './setting-types.ts';

const rolesExample = '[{"claim":"groups","value":"video","account":1,"role":"manager"}]';

export const peopleSettings = {
  KEY_SIGN_IN: Type.Optional(
    Type.Enum(['on', 'off'], {
      description:
        'Whether an API key signs in at the dashboard; default: only while there is no person',
    }),
  ),
  PASSWORD_SIGN_IN: Type.Enum(['on', 'off'], {
    description:
      'Whether people sign in with passwords; off: by the OIDC provider alone, or a link of ' +
      '`playmeter person reset`',
    default: 'on',
  }),
  OIDC_ISSUER: Type.Optional(
    checked(
      Type.String({
        description: 'Issuer of an OIDC provider by which people sign in; see docs/people.md',
        examples: ['https://login.example.com'],
      }),
      (value) =>
        isUrl(value, ['https:']) || /^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(`${value}/`),
      'must be a URL with https, such as https://login.example.com',
    ),
  ),
  OIDC_CLIENT_ID: Type.Optional(
    Type.String({ description: 'Name of this service at the provider; OIDC_ISSUER needs it' }),
  ),
  OIDC_CLIENT_SECRET: Type.Optional(
    Type.String({ description: 'Its secret there; default: a public client' }),
  ),
  OIDC_SCOPES: text('What is asked of the provider', 'openid email profile'),
  OIDC_ROLES: Type.Optional(
    checked(
      Type.String({
        description:
          'Whom claims of the provider make members: a JSON list of `claim`, `value`, `account`, ' +
          '`role` and, of analysts, `packages`',
        examples: [rolesExample],
      }),
      (value) => readClaimRules(value) !== undefined,
      `must be a JSON list such as ${rolesExample}`,
    ),
  ),
};
