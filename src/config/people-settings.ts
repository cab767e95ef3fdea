/** The settings of how people sign in; part of config.ts. */
import Type from 'typebox';

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
};
