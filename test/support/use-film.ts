import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import type { UsualLimits } from '../../src/collect/abuse/abuse-detector.ts';
import { openCatalogAlone } from './catalog-alone.ts';
import { collectingEvents, type EventCollecting, publishFilm } from './collecting-events.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';

export type Film = Awaited<ReturnType<typeof publishFilm>>;

interface Scene {
  readonly catalog: Catalog;
  readonly clock: ManualClock;
  readonly film: Film;
  readonly collecting: EventCollecting;
}

interface FilmOptions {
  readonly startMs: number;
  readonly usual?: UsualLimits;
}

/** Gives each test a new account's film, a clock and the parts of collectors, on one catalog. */
export function useFilm({ startMs, usual }: FilmOptions, begin: (scene: Scene) => unknown): void {
  let catalog: Catalog;
  let collecting: EventCollecting;
  beforeAll(async () => {
    catalog = await openCatalogAlone();
  });
  afterAll(() => catalog.close());
  beforeEach(async () => {
    const clock = manualClock(startMs);
    const film = await publishFilm(catalog);
    collecting = collectingEvents(catalog, clock, {}, usual);
    await begin({ catalog, clock, film, collecting });
  });
  afterEach(() => collecting.stop());
}
