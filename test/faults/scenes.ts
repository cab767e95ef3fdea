/** The two halves of the simulation: what one service goes through in one life. */
import type { ServiceFaultName } from './service-faults.ts';

export interface Scene {
  readonly name: string;
  /** Of all kills of the long form, the part that falls to it. */
  readonly share: number;
  /** Each of them, again and again, in orders that the seed shuffles. */
  readonly long: readonly ServiceFaultName[];
  /** The scenes that show the most in a few seconds. */
  readonly short: readonly ServiceFaultName[];
}

export const scenes: readonly Scene[] = [
  {
    name: 'killed and frozen',
    share: 0.7,
    long: [
      'killEngine',
      'killService',
      'killBoth',
      'killAtStart',
      'freezeEngine',
      'freezeEngineLong',
      'killServiceOfFrozenEngine',
      'damageJournal',
    ],
    short: ['killEngine', 'killBoth', 'killAtStart', 'killServiceOfFrozenEngine', 'damageJournal'],
  },
  {
    name: 'a full disk, and the clock set',
    share: 0.3,
    long: [
      'fillDisk',
      'killEngineOnFullDisk',
      'killServiceOnFullDisk',
      'stepClockAhead',
      'stepClockBack',
      'killEngine',
      'killService',
    ],
    short: ['killEngineOnFullDisk', 'stepClockAhead', 'stepClockBack', 'killService'],
  },
];
