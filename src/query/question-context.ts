import type { Catalog } from '../catalog/catalog.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { FactReader } from '../store/facts.ts';
import type { CountrySource } from '../vocabulary/country-source.ts';
import type { PlanSources } from './planner.ts';

/** What a command needs to answer questions. */
export interface QuestionContext extends PlanSources {
  readonly facts: FactReader;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly countrySource: CountrySource;
  close(): Promise<void>;
}
