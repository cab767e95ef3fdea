/** The service itself, and what it is. */
import { type Role, roles } from '../vocabulary/roles.ts';
import { WrongUsage } from './runner/arguments.ts';
import { jsonOption } from './runner/options.ts';
import type { Verb } from './verb.ts';

export const serve: Verb = {
  words: 'serve',
  summary: 'Run the service until interrupted',
  options: {
    role: {
      type: 'string',
      description: 'What this node does of several: collect, report, roll-up or all',
      valueHint: 'ROLE',
      default: 'all',
    },
    'accept-clock': {
      type: 'boolean',
      description: 'The clock is right: it was ahead before, and is not behind now',
    },
    'accept-new-secret': {
      type: 'boolean',
      description: 'APP_SECRET is another one than before: viewers and sessions begin anew',
    },
    'accept-new-statistics': {
      type: 'boolean',
      description: 'The statistics store is another one than before',
    },
  },
  async run(given, parts) {
    await parts.serve(readRole(given.text('role')), {
      clock: given.flag('accept-clock'),
      newSecret: given.flag('accept-new-secret'),
      newStatistics: given.flag('accept-new-statistics'),
    });
    return undefined;
  },
};

function readRole(given: string): Role {
  const role = roles.find((one) => one === given);
  if (role) return role;
  throw new WrongUsage(`--role must be one of ${roles.join(', ')}, not "${given}"`);
}

export const openapi: Verb = {
  words: 'openapi',
  summary: 'Print the OpenAPI document as JSON',
  options: {},
  async run(_given, parts) {
    const document = await parts.describeInterface();
    return { json: document, lines: [JSON.stringify(document, undefined, 2)] };
  },
};

export const version: Verb = {
  words: 'version',
  summary: 'Print the version',
  options: { json: jsonOption },
  async run(_given, parts) {
    return { json: { version: parts.version }, lines: [parts.version] };
  },
};
