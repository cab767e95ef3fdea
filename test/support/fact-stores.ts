/** The ways to open the facts, for the contract suite. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { inject } from 'vitest';
import type { VerdictSource } from '../../src/facts/facts.ts';
import { type Facts, openFacts } from '../../src/facts/open-facts.ts';
import type { RollUpPace } from '../../src/facts/roll-up.ts';
import { systemClock } from '../../src/lib/clock.ts';

/** A store without facts. */
export interface FactsLocation {
  readonly database: string;
  readonly folder: string;
}

export interface FactStoreKind {
  readonly name: string;
  newLocation(): Promise<FactsLocation>;
  /** As a process of its own would; resolves when it is ready. One `node` at a time. */
  open(location: FactsLocation, node?: string, other?: OtherOptions): Promise<Facts>;
  /** Closes what is open. */
  stop(): Promise<void>;
}

interface OtherOptions {
  readonly pace?: Partial<RollUpPace>;
  readonly verdicts?: VerdictSource;
  /** Another way to the server. */
  readonly url?: string;
}

/** Sums only when a test asks, and then all days. */
const askedOnly = { everyMs: 2 ** 30, daysEveryMs: 0 };

export function factStores(): FactStoreKind[] {
  return [
    kindOf('the bundled engine, with a journal', ({ folder }, node) => ({
      journalFolder: join(folder, node, 'journal'),
    })),
    kindOf('a configured server, without a journal', () => ({})),
  ];
}

type Options = Pick<Parameters<typeof openFacts>[0], 'journalFolder'>;

function kindOf(
  name: string,
  optionsOf: (location: FactsLocation, node: string) => Options,
): FactStoreKind {
  const opened: Facts[] = [];
  const folders: string[] = [];
  return {
    name,
    async newLocation() {
      const folder = await mkdtemp(join(tmpdir(), 'playmeter-facts-'));
      folders.push(folder);
      return { folder, database: `test_${randomUUID().replaceAll('-', '')}` };
    },
    async open(location, node = 'node', { pace, verdicts, url } = {}) {
      const { database } = location;
      const facts = openFacts({
        access: { ...inject('engineAccess'), ...(url && { url }), database },
        ...optionsOf(location, node),
        clock: systemClock,
        logger: pino({ level: 'error' }, pino.destination(2)),
        metrics: new Registry(),
        pace: { ...askedOnly, ...pace },
        ...(verdicts && { verdicts }),
      });
      opened.push(facts);
      await facts.ready();
      return facts;
    },
    async stop() {
      await Promise.all(opened.map((facts) => facts.close()));
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}
