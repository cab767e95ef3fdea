/** Runs the load generator in its own process. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LoadOutcome, LoadPlan } from './generator.ts';

const execute = promisify(execFile);
const generator = join(import.meta.dirname, 'generator.ts');

export async function sendLoad(plan: LoadPlan): Promise<LoadOutcome> {
  const { stdout } = await execute(process.execPath, [generator, JSON.stringify(plan)]);
  return JSON.parse(stdout) as LoadOutcome;
}
