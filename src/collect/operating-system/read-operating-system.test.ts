import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKindOf, operatingSystemNames } from './operating-system-names.ts';
import { type OperatingSystemEvidence, readOperatingSystem } from './read-operating-system.ts';
import { versionWords } from './version-form.ts';

interface Row {
  origin: string;
  name: string;
  version: string;
  userAgent: string;
}

const rows: Row[] = [];
let origin = '';
for (const line of readFileSync(new URL('user-agents.txt', import.meta.url), 'utf8').split('\n')) {
  if (line.startsWith('## ')) origin = line.slice(3);
  const [name = '', version = '', ...rest] = line.split(' | ');
  if (rest.length > 0 && !line.startsWith('#')) {
    rows.push({ origin, name, version, userAgent: rest.join(' | ') });
  }
}

describe('the operating system of a real User-Agent', () => {
  it('is told for at least 300 strings, each given once and with its origin', () => {
    expect(rows.length).toBeGreaterThanOrEqual(300);
    expect(new Set(rows.map((row) => row.userAgent)).size).toBe(rows.length);
    expect(rows.filter((row) => row.origin === '')).toEqual([]);
  });

  it.each(rows)('$name $version: $userAgent', ({ name, version, userAgent }) => {
    expect(readOperatingSystem({ userAgent })).toEqual({ name, version });
  });
});
