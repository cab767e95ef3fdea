/** Every language says everything, with the same values in it, and nothing is said nowhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { en } from './en.ts';
import { ko } from './ko.ts';

const catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = { en, ko };
const valuesIn = (text = '') => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test.each(Object.keys(catalogues))('%s is complete', (language) => {
  const catalogue = catalogues[language] ?? {};
  expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort());
  for (const [name, text] of Object.entries(catalogue)) {
    expect(text.trim(), name).not.toBe('');
    expect(valuesIn(text), name).toEqual(valuesIn(en[name as keyof typeof en]));
  }
});

test('Korean is written in Korean', () => {
  // Punctuation and values alone need no letters.
  const words = Object.entries(ko).filter(([, text]) =>
    /[a-z]{2}/i.test(text.replace(/\{\w+\}/g, '')),
  );
  expect(words.filter(([, text]) => !/[가-힣]/.test(text)).map(([name]) => name)).toEqual([]);
});

test('no text is left that nothing shows', () => {
  const folder = join(import.meta.dirname, '..');
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/^messages|\.test\./.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  // Some names are put together: `measure.${measure}.what`.
  const patterns = [...source.matchAll(/`([a-z]+\.[^`]*\$\{[^`]*)`/gi)].map(
    ([, text = '']) =>
      new RegExp(`^${text.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w]+')}$`),
  );
  const isShown = (name: string) =>
    source.includes(`'${name}'`) ||
    source.includes(`="${name}"`) ||
    patterns.some((pattern) => pattern.test(name));
  expect(Object.keys(en).filter((name) => !isShown(name))).toEqual([]);
});
