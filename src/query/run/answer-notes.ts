/** What has to be said beside rows that go without their answer: as CSV, a table or a file. */

import type { CountrySource } from '../../vocabulary/country-source.ts';
import type { QualityBasis, ViewerBasis } from '../../wire/questions/audience-messages.ts';
import { describeBasis, describeQualityBasis } from '../../wire/questions/bases.ts';
import type { Query } from '../parse/query.ts';
import type { WholeAnswer } from './query-run.ts';

export interface NotesBeside {
  /** Where a measure of viewers is asked for. */
  readonly viewerBasis: ViewerBasis | undefined;
  /** Where a measure of quality is asked for. */
  readonly qualityBasis: QualityBasis | undefined;
  /** Where countries are shown: who made the database that they come from. */
  readonly attribution: string | undefined;
}

export function notesBeside(
  { viewerBasis, qualityBasis }: Pick<WholeAnswer, 'viewerBasis' | 'qualityBasis'>,
  { dimensions }: Pick<Query, 'dimensions'>,
  countrySource: CountrySource,
): NotesBeside {
  const attribution = dimensions.includes('country') ? countrySource.attribution : undefined;
  return { viewerBasis, qualityBasis, attribution };
}

export function linesOfNotes({ viewerBasis, qualityBasis, attribution }: NotesBeside): string[] {
  const lines = [
    viewerBasis && describeBasis(viewerBasis),
    qualityBasis && describeQualityBasis(qualityBasis),
    attribution,
  ];
  return lines.filter((line) => line !== undefined);
}
