/** What the pages that the service makes itself say, in the reader's language. */
import { en } from './en.ts';
import { ko } from './ko.ts';

/** What every language says. */
export type Messages = Readonly<Record<keyof typeof en, string>>;
export type MessageName = keyof Messages;

export const catalogues = { en, ko } as const satisfies Readonly<Record<string, Messages>>;
export type Language = keyof typeof catalogues;

export type Say = (name: MessageName, values?: Readonly<Record<string, string | number>>) => string;

export function sayIn(language: Language): Say {
  return (name, values = {}) =>
    catalogues[language][name].replace(/\{(\w+)\}/g, (whole, value) =>
      String(values[value] ?? whole),
    );
}

/** Those whose names begin so, as JSON: scripts read it from the page. */
export function wordsFor(language: Language, ...starts: 'found'[]): string {
  const words = Object.entries(catalogues[language]).filter(([name]) =>
    starts.some((start) => name.startsWith(`${start}.`)),
  );
  return JSON.stringify(Object.fromEntries(words));
}
