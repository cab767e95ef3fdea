/** What an attack is: one record in the list of attacks.ts. */
import type { Browser } from '../support/browser.ts';
import type { Target, TargetOptions } from './target.ts';

export interface Attack {
  readonly name: string;
  /** What a stranger does. */
  readonly does: string;
  /** What has to hold meanwhile and afterwards. */
  readonly wanted: string;
  /** It seats bystanders itself; else one is seated beside it on every service that it starts. */
  readonly seatsBystanders?: true;
  strike(stage: Stage): Promise<Struck>;
}

export interface Struck {
  /** In words, with units. */
  readonly measured: string;
  /** What was not as wanted, on any machine; empty where the attack was held. */
  readonly wrong: readonly string[];
  /** What was slower than wanted; it says nothing on a machine that does other work beside. */
  readonly slow?: readonly string[];
}

/** Where an attack takes place. */
export interface Stage {
  /** The long form is for figures, the short one shows only whether the attack is held. */
  readonly isLong: boolean;
  readonly seed: number;
  /** A service of its own. In the short form, attacks that name no options share one. */
  start(options?: Partial<TargetOptions>): Promise<Target>;
  browser(): Promise<Browser>;
  /** An IP address of this machine from which no other attack comes. */
  address(): string;
}

/** The descriptions of what is not so. */
export function wrongIn(complaints: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(complaints).filter((what) => complaints[what]);
}
