/** The languages of mails and of what people set for themselves. */
import Type, { type Static } from 'typebox';

export const languages = ['en', 'ko'] as const;

export const Language = Type.Enum([...languages], { description: 'Language of mails' });
export type Language = Static<typeof Language>;
