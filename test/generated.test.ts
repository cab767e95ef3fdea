/** What is committed but derived from the code is as the code says, and is good OpenAPI. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lint, loadConfig } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { generatedFiles } from '../scripts/generated-files.ts';

const root = join(import.meta.dirname, '..');

test.each(Object.entries(await generatedFiles()))('%s is up to date', (path, text) => {
  // If this fails: npm run generate
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});

test('a linter finds nothing in the OpenAPI document', async () => {
  const config = await loadConfig({ configPath: join(root, 'redocly.yaml') });
  const problems = await lint({ ref: join(root, 'docs/openapi.json'), config });
  expect(
    problems.map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer}: ${message}`),
  ).toEqual([]);
});
