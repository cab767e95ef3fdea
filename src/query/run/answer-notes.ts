/** What has to be said beside rows that go without their answer: as CSV, a table or a file. */

import type { CountrySource } from '../../vocabulary/country-source.ts';
import type { ViewerBasis } from '../../wire/questions/audience-messages.ts';
import { describeBasis } from '../../wire/questions/viewer-basis.ts';
import type { Query } from '../parse/query.ts';
import type { WholeAnswer } from './query-run.ts';

export interface NotesBeside {
  /** Where a measure of viewers is asked for. */
  readonly viewerBasis: ViewerBasis | undefined;
  /** Where countries are shown: who made the database that they come from. */
  readonly attribution: string | undefined;
}

export function notesBeside(
  { viewerBasis }: Pick<WholeAnswer, 'viewerBasis'>,
  { dimensions }: Pick<Query, 'dimensions'>,
  countrySource: CountrySource,
): NotesBeside {
  const attribution = dimensions.includes('country') ? countrySource.attribution : undefined;
  return { viewerBasis, attribution };
}

export function linesOfNotes({ viewerBasis, attribution }: NotesBeside): string[] {
  const lines = [viewerBasis && describeBasis(viewerBasis), attribution];
  return lines.filter((line) => line !== undefined);
}
