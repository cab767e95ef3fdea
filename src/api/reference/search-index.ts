/** What the search looks through, beside the guides; its script loads it when it is first used. */
import { refusalReasons } from '../../wire/beacon.ts';
import { faultCatalogue } from '../../wire/faults.ts';
import type { OpenApiDocument } from '../openapi/openapi.ts';
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
}

export function searchIndex(document: OpenApiDocument): SearchEntry[] {
  const operations = groupsOf(document).flatMap(({ href, operations }) =>
    operations.map((at) => ({ ...at, page: href })),
  );
  return [
    ...operations.map(({ page, method, path, operation }): SearchEntry => {
      const { operationId, summary, description = '' } = operation;
      const of = `${method.toUpperCase()} ${path}`;
      const about = `${operationId} ${description}`;
      return { kind: 'operation', name: summary, of, about, href: `${page}#${operationId}` };
    }),
    ...operations.flatMap(({ page, operation }) =>
      memberLists(document, operation).flatMap(({ kind, members }) =>
        members.map(({ id, name, description = '' }): SearchEntry => {
          return { kind, name, of: operation.summary, about: description, href: `${page}#${id}` };
        }),
      ),
    ),
    ...Object.entries(faultCatalogue).map(([code, { status, title, advice }]) =>
      errorEntry(code, `${status}: ${title}`, advice),
    ),
    ...Object.entries(refusalReasons).map(([code, why]) => errorEntry(code, 'Refused beacon', why)),
  ];
}

function errorEntry(code: string, of: string, about: string): SearchEntry {
  return { kind: 'error', name: code, of, about, href: `/docs/errors#${code}` };
}
