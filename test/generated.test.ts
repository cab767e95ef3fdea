/** What is committed but derived from the code is as the code says, and is good OpenAPI. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lint, loadConfig } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { generatedFiles } from '../scripts/generated-files.ts';
import { describeInterface } from '../src/http/app.ts';

const root = join(import.meta.dirname, '..');

test.each(Object.entries(await generatedFiles()))('%s is up to date', (path, text) => {
  // If this fails: npm run generate
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});

test('the reference has every parameter, status and error of each operation, and an example', async () => {
  const { paths, tags } = await describeInterface();
  const read = (name: string) =>
    readFileSync(
      join(root, `docs/reference/${name.toLowerCase().replaceAll(' ', '-')}.md`),
      'utf8',
    );
  const sections = new Map(tags.map(({ name }) => [name, read(name).split(/^## /m)]));
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const {
        summary,
        parameters = [],
        responses,
        tags: [tag = ''],
      } = operation;
      const [section = '', ...others] = (sections.get(tag) ?? []).filter((text) =>
        text.startsWith(`${summary}\n\n\`${method.toUpperCase()} ${path}\``),
      );
      expect(others).toEqual([]);
      for (const { name } of parameters) expect(section).toContain(`| \`${name}\` | `);
      for (const [status, { description = '' }] of Object.entries(responses)) {
        expect(section).toMatch(new RegExp(`(^- |Errors: |; )${status}[: ]`, 'm'));
        for (const [code] of description.matchAll(/`[A-Z_]+`/g)) expect(section).toContain(code);
      }
      expect(section).toContain(`\`\`\`http\n${method.toUpperCase()} /`);
    }
  }
  const limits = '| `pageSize` | integer, 1 to 1000, default `100` | Rows per page |';
  expect(read('Statistics')).toContain(limits);
});

test('a linter finds nothing in the OpenAPI document', async () => {
  const config = await loadConfig({ configPath: join(root, 'redocly.yaml') });
  const problems = await lint({ ref: join(root, 'docs/openapi.json'), config });
  expect(
    problems.map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer}: ${message}`),
  ).toEqual([]);
});
