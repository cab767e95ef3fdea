import type { Beacon, StretchNumbers } from './beacon.ts';
import type { Store } from './sender.ts';

/** What it keeps. */
interface Kept {
  readonly beacons: Beacon[];
  readonly numbers: StretchNumbers;
}

export interface TextStore extends Store {
  /** For views that may come again: of the last 100 they are kept. */
  readonly numbers: StretchNumbers;
}

/** Two a view: of its stretches and of its waits. */
const numbersLimit = 200;

/**
 * Keeps all in one text: a file, or an item of the device's storage. `left` is the text that was
 * written last, if there is one.
 */
export function createTextStore(
  left: string | null | undefined,
  write: (text: string) => void,
): TextStore {
  const former = readText(left);
  const { numbers } = former;

  return {
    numbers,
    keep(all) {
      for (const view of Object.keys(numbers).slice(0, -numbersLimit)) delete numbers[view];
      // Those of the former run are kept until they are adopted.
      write(JSON.stringify({ beacons: [...former.beacons, ...all], numbers }));
    },
    adopt(take) {
      take(former.beacons.splice(0));
    },
  };
}

/** A device that was switched off while it wrote leaves half a text. */
function readText(text: string | null | undefined): Kept {
  try {
    if (text) return JSON.parse(text);
  } catch {
    // What is lost is lost; the app goes on.
  }
  return { beacons: [], numbers: {} };
}
