import type { Clock } from '../lib/clock.ts';
import type { ChangeWatch } from './change-watch.ts';
import type { Connection, Engine } from './database.ts';
import type { SearchIndex } from './search-index.ts';

/** What every part of the catalog works with. */
export interface Store {
  readonly kysely: Connection;
  readonly engine: Engine;
  readonly search: SearchIndex;
  readonly clock: Clock;
  readonly watch: ChangeWatch;
}
