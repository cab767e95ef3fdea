/** The texts of /docs and /watch: every language says everything, and nothing is said nowhere. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkCatalogues } from '../../../../test/support/check-catalogues.ts';
import { tags } from '../../openapi/operation.ts';
import { catalogues, sayIn } from './messages.ts';

const demo = join(import.meta.dirname, '../../../../demo');

checkCatalogues(catalogues, [join(import.meta.dirname, '../..'), demo]);

test('what the watch page says is in the catalogue, and all of it is said', () => {
  const page = readFileSync(join(demo, 'watch.html'), 'utf8');
  const named = [...page.matchAll(/\{\{(watch\.[\w.]+)\}\}/g)].map(([, name]) => name);
  const known = Object.keys(catalogues.en).filter((name) => name.startsWith('watch.'));
  expect(named.toSorted()).toEqual(known.toSorted());
});

test('every group of the reference has a name, in English that of the document', () => {
  const say = sayIn('en');
  for (const name of Object.keys(tags)) {
    const slug = name.toLowerCase().replaceAll(' ', '-');
    expect(say(`group.${slug}` as 'group.statistics')).toBe(name);
  }
});
