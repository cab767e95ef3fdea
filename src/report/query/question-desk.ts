import type { Catalog } from '../../catalog/catalog.ts';
import type { FactReader } from '../../facts/facts.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CountrySource } from '../../wire/country-source.ts';
import type { PlanSources } from './plan-query.ts';

/** What a command needs to answer questions. */
export interface QuestionDesk extends PlanSources {
  readonly facts: FactReader;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly countrySource: CountrySource;
  close(): Promise<void>;
}
