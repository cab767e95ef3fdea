/** When something is due again and again: cron expressions of five parts, in UTC. */
import { Cron } from 'croner';

export interface Schedule {
  /** The first time it is due after this instant; both in milliseconds. */
  after(ms: number): number;
}

/** Undefined for what is no expression, and for one that is never due. */
export function readSchedule(expression: string): Schedule | undefined {
  let cron: Cron;
  try {
    cron = new Cron(expression, { timezone: 'UTC', mode: '5-part' });
  } catch {
    return undefined;
  }
  if (cron.nextRun(new Date(0)) === null) return undefined;
  return { after: (ms) => cron.nextRun(new Date(ms))?.getTime() ?? Number.POSITIVE_INFINITY };
}
