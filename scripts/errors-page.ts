/** docs/errors.md, out of the error catalogue and the operations that name its codes. */
import type { OpenApiDocument } from '../src/api/openapi/openapi.ts';
import { refusalReasons } from '../src/wire/beacon.ts';
import { Fault, type FaultCode, faultCatalogue, problemOf } from '../src/wire/faults.ts';

export function errorsPage(document: OpenApiDocument): string {
  const codes = Object.keys(faultCatalogue) as FaultCode[];
  return [
    opening,
    '| Code | Status | Send it again? |\n|---|---|---|',
    `${codes.map(summaryOf).join('\n')}\n`,
    codes.map((code) => sectionOf(code, document)).join('\n'),
    beacons,
    '| Code | Why |\n|---|---|',
    ...Object.entries(refusalReasons).map(([code, why]) => `| \`${code}\` | ${why} |`),
    '',
  ].join('\n');
}

const example = new Fault('MISSING_PARAMETER', 'edate is required; pageSize must be given once', {
  errors: [
    { parameter: 'edate', detail: 'is required' },
    { parameter: 'pageSize', detail: 'must be given once' },
  ],
});

const opening = `<!-- Generated from src/wire/faults.ts by \`npm run generate\`. -->
# Errors

Every error is answered with its HTTP status and a body of the type \`application/problem+json\`
([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)):

\`\`\`json
${JSON.stringify(problemOf(example), undefined, 2)}
\`\`\`

Decide by \`code\`: it does not change. \`detail\` (and \`message\`, which says the same for clients
that look for it beside \`isSuccess\`) is for people and may be worded differently tomorrow.
\`errors\` is there where single parameters or members are to blame, and names all of them at once.
`;

const beacons = `## Refused beacons

A beacon that is refused does not make the request fail: the answer is 200 and lists it under
\`rejected\`, with one of these codes. It is refused for good; the others are counted.
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

/** The groups of addresses whose operations name the code. */
function whereOf(code: FaultCode, { paths }: OpenApiDocument): string {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const { status } = faultCatalogue[code];
  const naming = operations.filter(({ responses }) =>
    responses[status]?.description?.includes(`\`${code}\``),
  );
  if (naming.length === operations.length) return 'Any address may answer it.';
  if (naming.length === 0) return everywhere[code] ?? 'No address answers it at present.';
  const groups = new Set(naming.flatMap(({ tags }) => tags));
  return `Answered by addresses of: ${[...groups].join(', ')}.`;
}

const everywhere: Partial<Record<FaultCode, string>> = {
  NOT_FOUND: 'Answered for every path that the service does not have.',
  METHOD_NOT_ALLOWED: 'Answered for every method that a path does not take.',
};
