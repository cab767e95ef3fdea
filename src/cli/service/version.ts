import { jsonOption } from '../runner/options.ts';
import type { Verb } from '../verb.ts';

export const version: Verb = {
  words: 'version',
  summary: 'Print the version',
  options: { json: jsonOption },
  async run(_given, parts) {
    return { json: { version: parts.version }, lines: [parts.version] };
  },
};
