/** Runs before each test file: what fast-check draws is repeated by SEED, and a failure says how. */
import fc, { type RunDetails } from 'fast-check';
import { howToRepeat } from './how-to-repeat.ts';
import { readSeed } from './seed.ts';

/** An assertion that names a seed of its own keeps it. */
export function seedProperties(text: string | undefined): void {
  const given = text === undefined || text === '' ? {} : { seed: readSeed(text) };
  fc.configureGlobal({ ...given, reporter: report });
}

function report(details: RunDetails<unknown>): void {
  if (!details.failed) return;
  const message = `${fc.defaultReportMessage(details)}\n\n${howToRepeat(details.seed)}`;
  throw new Error(message, { cause: details.errorInstance });
}

seedProperties(process.env.SEED);
