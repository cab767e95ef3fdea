/** The reader's language: chosen on one of our pages, or else the browser's. */
import { keep, readKept } from './kept-choice.ts';

export const languages = { en: 'English', ko: '한국어' } as const;
export type Language = keyof typeof languages;

const kept = 'playmeter-language';
const yearSeconds = 31_536_000;

export function readLanguage(): Language {
  const wanted = [readKept(kept) ?? '', ...navigator.languages].map((tag) => tag.split('-')[0]);
  return wanted.find((tag): tag is Language => tag !== undefined && tag in languages) ?? 'en';
}

/** Also in a cookie: /docs and /watch come from the service in the reader's language. */
export function keepLanguage(language: Language): void {
  keep(kept, language);
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${kept}=${language}; path=/; max-age=${yearSeconds}; samesite=lax${secure}`;
}
