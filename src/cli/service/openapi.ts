import type { Verb } from '../verb.ts';

export const openapi: Verb = {
  words: 'openapi',
  summary: 'Print the OpenAPI document as JSON',
  options: {},
  async run(_given, parts) {
    const document = await parts.describeInterface();
    return { json: document, lines: [JSON.stringify(document, undefined, 2)] };
  },
};
