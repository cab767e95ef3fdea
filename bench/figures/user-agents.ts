/** What it costs to read the system off a User-Agent, and to tell bots by it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBotFilter } from '../../src/collect/abuse/bot-step.ts';
import {
  createOperatingSystemReader,
  type OperatingSystemReader,
} from '../../src/collect/enrich/system/operating-system.ts';
import { atMost, type Figure } from '../figure.ts';
import { median } from '../record/percentile.ts';

const file = join(import.meta.dirname, '../../src/collect/enrich/system/user-agents.txt');
const userAgents = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' | ').slice(2).join(' | '));
const roundsToWarmUp = 20;
const rounds = 60;

type Read = (userAgent: string) => unknown;

/** Each makes a reader that has seen nothing. */
const readers: Readonly<Record<string, () => Read>> = {
  'the operating system': () => {
    const read: OperatingSystemReader = createOperatingSystemReader();
    return (userAgent) => read({ userAgent });
  },
  'whether it is a bot': () => {
    const refuseBot = createBotFilter();
    return (userAgent) => refuseBot({ userAgent });
  },
};

export const userAgentFigure: Figure = {
  name: 'user-agents',
  async measure() {
    const measured = Object.entries(readers).flatMap(([what, createRead]) => {
      const ofNew = costOf(createRead);
      const seen = createRead();
      for (const userAgent of userAgents) seen(userAgent);
      const ofSeen = costOf(() => seen);
      const note = `${userAgents.length} strings; processor time`;
      return [
        { what: `${what}, of a new string`, value: ofNew, unit: 'us', target: atMost(20), note },
        { what: `${what}, of one seen before`, value: ofSeen, unit: 'us', target: atMost(1) },
      ];
    });
    return { measured };
  },
};

/** Microseconds of processor time a string, in the median round. */
function costOf(createRead: () => Read): number {
  const costs: number[] = [];
  for (let round = 0; round < roundsToWarmUp + rounds; round += 1) {
    const read = createRead();
    const before = process.cpuUsage();
    for (const userAgent of userAgents) read(userAgent);
    const { user, system } = process.cpuUsage(before);
    if (round >= roundsToWarmUp) costs.push((user + system) / userAgents.length);
  }
  return median(costs);
}
