/** The reader's language: its texts, and how it writes numbers, dates and durations. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { keepLanguage, type Language, readLanguage } from './chosen-language.ts';
import { createFormats, type Formats } from './formats.ts';
import type { Messages } from './messages/messages.ts';

export type MessageName = keyof Messages;
type Translate = (name: MessageName, values?: Readonly<Record<string, string | number>>) => string;

interface Reader {
  readonly language: Language;
  readonly setLanguage: (language: Language) => void;
  readonly t: Translate;
  /** For names that the service gives: a later one may have some that this page has no text for. */
  readonly textIfAny: (name: string) => string | undefined;
  readonly formats: Formats;
}

const ReaderContext = createContext<Reader | undefined>(undefined);

/** One of them is loaded, when it is needed. */
const catalogues: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => (await import('./messages/en.ts')).en,
  ko: async () => (await import('./messages/ko.ts')).ko,
};

export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (reader === undefined) throw new Error('There is no reader outside of LanguageProvider');
  return reader;
}

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(readLanguage);
  const [loaded, setLoaded] = useState<{ of: Language; messages: Messages }>();
  useEffect(() => {
    let isCurrent = true;
    void catalogues[language]().then((messages) => {
      if (!isCurrent) return;
      document.documentElement.lang = language;
      setLoaded({ of: language, messages });
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);
  const reader = useMemo<Reader | undefined>(
    () =>
      loaded && {
        language: loaded.of,
        setLanguage: (chosen) => {
          keepLanguage(chosen);
          setLanguage(chosen);
        },
        t: (name, values = {}) => fillIn(loaded.messages[name], values),
        textIfAny: (name) => (loaded.messages as Readonly<Record<string, string>>)[name],
        formats: createFormats(localeOf(loaded.of)),
      },
    [loaded],
  );
  if (reader === undefined) return null;
  return <ReaderContext value={reader}>{children}</ReaderContext>;
}

export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => isolated(String(values[name] ?? whole)));
}

/** Text that is written from the right, or says so by a mark, turns around nothing beside it. */
function isolated(text: string): string {
  const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  if (!/[\u0590-\u08ff\ufb1d-\ufefc]/.test(text) && text.search(marks) < 0) return text;
  return `\u2068${text.replace(marks, '')}\u2069`;
}

/** The reader's own country, where the browser names one for the language. */
function localeOf(language: Language): string {
  return (
    navigator.languages.find((tag) => tag.split('-')[0] === language && isLocale(tag)) ?? language
  );
}

/** Browsers take their languages from the system, which may say `en-US@posix`. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
