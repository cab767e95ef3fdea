import { startBar } from './input.ts';

const steps = 1_000;

/** Shows on the terminal what share of the work is done. */
export async function withBar<Value>(
  work: (noteProgress: (share: number) => void) => Promise<Value>,
): Promise<Value> {
  const bar = startBar(steps);
  try {
    return await work((share) => bar?.update(Math.round(share * steps)));
  } finally {
    bar?.stop();
  }
}
