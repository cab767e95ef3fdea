/** docs/errors.md, out of the error catalogue and the operations that name its codes. */
import type { OpenApiDocument } from '../src/http/openapi/openapi.ts';
import { Fault, type FaultCode, faultCatalogue, toProblem } from '../src/vocabulary/faults.ts';
import { refusalReasons } from '../src/wire/beacons/beacon.ts';

export function errorsPage(document: OpenApiDocument): string {
  const codes = Object.keys(faultCatalogue) as FaultCode[];
  return [
    opening,
    '| Code | Status | Send it again? |\n|---|---|---|',
    `${codes.map(summaryOf).join('\n')}\n`,
    codes.map((code) => sectionOf(code, document)).join('\n'),
    beacons,
    Object.entries(refusalReasons)
      .map(([code, why]) => `### ${code}\n\n${why}.\n`)
      .join('\n'),
  ].join('\n');
}

const example = new Fault('MISSING_PARAMETER', 'edate is required; pageSize must be given once', {
  errors: [
    { parameter: 'edate', detail: 'is required' },
    { parameter: 'pageSize', detail: 'must be given once' },
  ],
});

const opening = `<!-- Generated from src/vocabulary/faults.ts by \`npm run generate\`. -->
# Errors

Every error has an HTTP status and a body of the type \`application/problem+json\`
([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)):

\`\`\`json
${JSON.stringify(toProblem(example), undefined, 2)}
\`\`\`

Switch on \`code\`: it never changes. \`detail\` is for people, and its wording may change;
\`message\` repeats it for clients that read \`isSuccess\` and \`message\`. If single parameters or
members are invalid, \`errors\` lists all of them at once.

An answer with a status of 500 or more has the header \`X-Request-Id\`: by this the log of
the service names the request (\`requestId\`).
`;

const beacons = `## Refused beacons

A refused beacon does not make its request fail: the answer is 200 and lists the beacon under
\`rejected\`, with one of these codes. Sending it again does not help; the others count.
`;

function summaryOf(code: FaultCode): string {
  const { status, retryable } = faultCatalogue[code];
  const anchor = `[\`${code}\`](#${code.toLowerCase()})`;
  return `| ${anchor} | ${status} | ${retryable ? 'yes, after `Retry-After`' : 'no'} |`;
}

function sectionOf(code: FaultCode, document: OpenApiDocument): string {
  const { status, title, advice } = faultCatalogue[code];
  return `## ${code}\n\n${status}: ${title}. ${advice}\n\n${whereOf(code, document)}\n`;
}

/** The groups of paths whose operations name the code. */
function whereOf(code: FaultCode, { paths }: OpenApiDocument): string {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const { status } = faultCatalogue[code];
  const naming = operations.filter(({ responses }) =>
    responses[status]?.description?.includes(`\`${code}\``),
  );
  if (naming.length === operations.length) return 'Any operation may answer with it.';
  if (naming.length === 0) return everywhere[code] ?? 'No operation answers with it at present.';
  const groups = new Set(naming.flatMap(({ tags }) => tags));
  return `Operations that may answer with it: ${[...groups].join(', ')}.`;
}

const everywhere: Partial<Record<FaultCode, string>> = {
  NOT_FOUND: 'The answer for every unknown path.',
  METHOD_NOT_ALLOWED: 'The answer if a path does not support the method.',
  VERSION_NOT_SUPPORTED: 'The answer before a request reaches any operation.',
};
