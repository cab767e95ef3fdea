/** What the search looks through, beside the guides; its script loads it when it is first used. */

import { faultCatalogue } from '../../../vocabulary/faults.ts';
import { refusalReasons } from '../../../wire/beacons/beacon.ts';
import type { OpenApiDocument } from '../../openapi/openapi.ts';
import type { Say } from '../messages/messages.ts';
import { memberLists } from './members.ts';
import { groupsOf } from './reference-page.ts';

/** Short names: the index is sent whole. */
export interface SearchEntry {
  readonly kind: 'guide' | 'operation' | 'parameter' | 'field' | 'error';
  readonly name: string;
  /** The operation that a parameter or field is of, the path of an operation, a part's guide. */
  readonly of: string;
  readonly about: string;
  readonly href: string;
  /** Which of its texts are in English whatever the reader's language is. */
  readonly english: readonly ('name' | 'of')[];
}

/** As the document and the catalogue of errors are. */
const english = ['name', 'of'] as const;

export function searchIndex(document: OpenApiDocument, say: Say): SearchEntry[] {
  const operations = groupsOf(document).flatMap(({ href, operations }) =>
    operations.map((at) => ({ ...at, page: href })),
  );
  return [
    ...operations.map(({ page, method, path, operation }): SearchEntry => {
      const { operationId, summary, description = '' } = operation;
      const of = `${method.toUpperCase()} ${path}`;
      const about = `${operationId} ${description}`;
      const href = `${page}#${operationId}`;
      return { kind: 'operation', name: summary, of, about, href, english };
    }),
    ...operations.flatMap(({ page, operation }) =>
      memberLists(document, operation, say).flatMap(({ kind, members }) =>
        members.map(({ id, name, description = '' }): SearchEntry => {
          const of = operation.summary;
          return { kind, name, of, about: description, href: `${page}#${id}`, english };
        }),
      ),
    ),
    ...Object.entries(faultCatalogue).map(([code, { status, title, advice }]) =>
      errorEntry(code, `${status}: ${title}`, advice, english),
    ),
    ...Object.entries(refusalReasons).map(([code, why]) =>
      errorEntry(code, say('reference.refused.one'), why, ['name']),
    ),
  ];
}

function errorEntry(
  code: string,
  of: string,
  about: string,
  english: SearchEntry['english'],
): SearchEntry {
  return { kind: 'error', name: code, of, about, href: `/docs/errors#${code}`, english };
}
