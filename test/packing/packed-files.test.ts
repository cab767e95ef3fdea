/** What npm packs out of the clone, as npm itself lists it: texts without dead links. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { outsideNpm } from '../support/packed-product.ts';

const root = join(import.meta.dirname, '../..');

function filesOf(part: string): string[] {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const options = { cwd: join(root, part), env: outsideNpm(), encoding: 'utf8' } as const;
  const stdout = execFileSync('npm', words, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

/** Links to files, as paths in the package. */
function linksIn(text: string, file: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^([a-z]+:|#|\/)/.test(link))
    .map((link) => posix.join(posix.dirname(file), link.replace(/#.*/, '')));
}

test.each(['.', 'tracker', 'client'])(
  'every link in the texts of %s leads into the package',
  (part) => {
    const files = filesOf(part);
    const texts = files.filter((file) => file.endsWith('.md'));
    expect(texts).toContain('README.md');
    const isThere = (path: string) =>
      files.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
    const dead = texts.flatMap((file) =>
      linksIn(readFileSync(join(root, part, file), 'utf8'), file)
        .filter((path) => !isThere(path))
        .map((path) => `${file}: ${path}`),
    );
    expect(dead).toEqual([]);
  },
);

test('a link is read relative to its text, without its part', () => {
  expect(linksIn('[a](../b.md#c) [d](https://e) [f](#g) ![h](i/j.png)', 'docs/k.md')).toEqual([
    'b.md',
    'docs/i/j.png',
  ]);
});
