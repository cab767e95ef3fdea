/** What a simulation is played on: something that answers under one URL, and what befalls it. */
import type { Random } from '../simulation/random.ts';
import type { Site } from '../simulation/world.ts';
import { wideBounds } from '../support/wide-bounds.ts';

/** What is simulated is the service, not its limits. */
export const stageLimits = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  COLLECT_LIMIT_PER_MINUTE: '100000000',
  ...wideBounds,
};

/** What goes on while something befalls it. */
export interface Meanwhile {
  readonly random: Random;
  /** Lets some more viewers begin, so that there is something to acknowledge. */
  admitMore(): void;
  readonly traffic: { readonly acknowledged: number; readonly unavailable: number };
  /** To be called when a server was killed, with its name if there are several. */
  serverKilled(server?: string): void;
}

export interface Fault<Victim> {
  /** How often it kills a process. */
  readonly kills: number;
  /** Resolves when everything works again, or will by itself. */
  strike(victim: Victim): Promise<void>;
}

export interface Server {
  readonly url: string;
  /** Whether it is several processes, of which each answer is one's. */
  readonly hasWorkers: boolean;
}

export interface Stage<Name extends string> {
  readonly site: Site;
  /** Those that answer under its URL. */
  readonly servers: readonly Server[];
  readonly faults: Readonly<Record<Name, Fault<Meanwhile>>>;
  /** What befalls it before the last questions. */
  readonly lastFault: Name;
  /** Resolves when no clock is off any more. */
  setClocksRight(): Promise<void>;
  remove(): Promise<void>;
}

/** The faults as they befall these parts. */
export function befalling<Parts, Name extends string>(
  parts: Parts,
  faults: Readonly<Record<Name, Fault<Parts & Meanwhile>>>,
): Record<Name, Fault<Meanwhile>> {
  const bound = Object.entries<Fault<Parts & Meanwhile>>(faults).map(([name, fault]) => {
    const { kills, strike } = fault;
    return [name, { kills, strike: (around: Meanwhile) => strike({ ...parts, ...around }) }];
  });
  return Object.fromEntries(bound);
}
