/** What every catalogue of texts has to be: complete, with the same values, and in its language. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Catalogue = Readonly<Record<string, string>>;

const valuesIn = (text = '') => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

/** `folder` has the sources that show the texts, beside the catalogues in `messages/`. */
export function checkCatalogues(catalogues: { en: Catalogue; ko: Catalogue }, folders: string[]) {
  const { en, ko } = catalogues;
  test.each(Object.entries(catalogues))('%s is complete', (_language, catalogue) => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort());
    for (const [name, text] of Object.entries(catalogue)) {
      expect(text.trim(), name).not.toBe('');
      expect(valuesIn(text), name).toEqual(valuesIn(en[name]));
    }
  });

  test('Korean is written in Korean', () => {
    // Punctuation and values alone need no letters.
    const words = Object.entries(ko).filter(([, text]) =>
      /[a-z]{2}/i.test(text.replace(/\{\w+\}/g, '')),
    );
    expect(words.filter(([, text]) => !/[가-힣]/.test(text)).map(([name]) => name)).toEqual([]);
  });

  test('every text is in the catalogues', () => {
    const components = folders.flatMap((folder) => sourcesIn(folder, /\.tsx$/));
    expect(components.flatMap(literalsIn)).toEqual([]);
    expect(literalsIn('<p title="Not here">\n  Nor this.\n</p>')).toEqual([
      'Nor this.',
      'Not here',
    ]);
  });

  test('no text is left that nothing shows', () => {
    const source = folders.flatMap((folder) => sourcesIn(folder)).join('\n');
    // Some names are put together: `measure.${measure}.what`.
    const patterns = [...source.matchAll(/`([a-z]+\.[^`]*\$\{[^`]*)`/gi)].map(
      ([, text = '']) =>
        new RegExp(`^${text.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w-]+')}$`),
    );
    const isShown = (name: string) =>
      source.includes(`'${name}'`) ||
      source.includes(`="${name}"`) ||
      source.includes(`{{${name}}}`) ||
      patterns.some((pattern) => pattern.test(name));
    expect(Object.keys(en).filter((name) => !isShown(name))).toEqual([]);
  });
}

/** The same in every language. */
const wordless = ['Playmeter', 'CSV', 'pm_', '-----BEGIN PUBLIC KEY-----', 'https://'];
const command = /^npm run /;
const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
/** Between tags, where `>` neither compares nor ends an arrow. */
const textBetween = /(?<!=|\S )>([\s\p{L}\p{N},.!?'’…:·–-]*\p{L}{2}[\s\p{L}\p{N},.!?'’…:·–-]*)</gu;
const attribute = /\s(?:aria-label|title|placeholder|alt|label)="([^"{}]*\p{L}{2}[^"{}]*)"/gu;

function literalsIn(source: string): string[] {
  const code = source.replace(comments, '');
  return [...code.matchAll(textBetween), ...code.matchAll(attribute)]
    .map(([, text = '']) => text.trim())
    .filter((text) => !wordless.includes(text) && !command.test(text));
}

function sourcesIn(folder: string, kinds = /\.(tsx?|js|html)$/): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => kinds.test(name))
    .filter((name) => !/(^|\/)messages\/(en|ko)|\.test\./.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}
