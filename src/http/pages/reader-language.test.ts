import { expect, test } from 'vitest';
import { readLanguage } from './reader-language.ts';

test.each([
  [{}, 'en'],
  [{ 'accept-language': 'ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7' }, 'ko'],
  [{ 'accept-language': 'en-US,en;q=0.9,ko;q=0.8' }, 'en'],
  [{ 'accept-language': 'en;q=0.5, ko' }, 'ko'],
  [{ 'accept-language': 'fr, KO;q=0.2' }, 'ko'],
  [{ 'accept-language': 'fr, de' }, 'en'],
  [{ 'accept-language': 'ko;q=0, en' }, 'en'],
  [{ 'accept-language': ';;q=,ko;q=x,*' }, 'en'],
  [{ 'accept-language': 'constructor, toString' }, 'en'],
  [{ cookie: 'playmeter-language=ko', 'accept-language': 'en' }, 'ko'],
  [{ cookie: 'playmeter=a; playmeter-language=en', 'accept-language': 'ko' }, 'en'],
  [{ cookie: 'playmeter-language=fr', 'accept-language': 'ko' }, 'ko'],
  [{ cookie: 'not-playmeter-language=ko' }, 'en'],
])('%j is read in %s', (headers, language) => {
  expect(readLanguage(headers)).toBe(language);
});
