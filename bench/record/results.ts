/** results.json: every figure as it was last measured; quick runs are kept apart. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMet, type Measured } from '../figure.ts';
import type { Size } from '../size.ts';
import { describeMachine } from './machine.ts';

type Figures = Readonly<Record<string, readonly Measured[]>>;

const startedAt = describeMachine();

export async function writeResults(size: Size, figures: Figures): Promise<void> {
  const name = size.name === 'full' ? 'results.json' : 'results.quick.json';
  const file = join(import.meta.dirname, '..', name);
  const before = await readFile(file, 'utf8').catch(() => '{}');
  const kept = (JSON.parse(before) as { figures?: object }).figures ?? {};
  const date = new Date().toISOString();
  const measured = Object.entries(figures).map(([figure, numbers]) => [
    figure,
    { date, measured: numbers.map((one) => ({ ...one, met: isMet(one) })) },
  ]);
  const record = {
    machine: startedAt,
    size,
    figures: { ...kept, ...Object.fromEntries(measured) },
  };
  await writeFile(file, `${JSON.stringify(record, null, 2)}\n`);
}
