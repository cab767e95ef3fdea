import type { Catalog } from '../../catalog/catalog.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CountrySource } from '../../wire/country-source.ts';
import type { AnswerSources } from './answer-query.ts';

/** What a verb of the command line needs to answer questions. */
export interface QuestionDesk extends AnswerSources {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly countrySource: CountrySource;
  close(): Promise<void>;
}
