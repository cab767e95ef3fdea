/** Values of dimensions as text, of columns and of what is computed from them. */
import { expect, test } from 'vitest';
import { labelSql } from './label-sql.ts';

const context = { clock: [], labels: new Map([['plan', 2]]) };

test.each([
  ['os', "if(os = '', 'Unknown', os)"],
  ['label.plan', "if(label2 = '', 'Unknown', label2)"],
  ['package', 'toString(packageId)'],
] as const)('%s', (name, sql) => {
  expect(labelSql(name, context)).toBe(sql);
});

test('only a label that is declared has a column', () => {
  expect(() => labelSql('label.team', context)).toThrow('label.team is declared');
});
