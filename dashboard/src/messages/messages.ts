import type { en } from './en.ts';

/** What every language says. */
export type Messages = Readonly<Record<keyof typeof en, string>>;
