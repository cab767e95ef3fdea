import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPosition } from './import-position.ts';

test('an import that an earlier release began goes on, with none erased so far', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'playmeter-position-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'history.jsonl');
  writeFileSync(file, '{}');
  const positions = join(folder, 'imports');
  const keeper = await openPosition(positions, 1, file);
  const position = { bytes: 9, lines: 3, accepted: 2, rejected: 1, erased: 1, isFinished: false };
  keeper.keep(position);
  expect(keeper.read()).toEqual(position);
  const [name = ''] = readdirSync(positions);
  const path = join(positions, name);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"erased":1,', ''));
  expect(keeper.read()).toEqual({ ...position, erased: 0 });
});
