import type { Verb } from './verb.ts';

export const serve: Verb = {
  words: 'serve',
  summary: 'Run the service until interrupted',
  options: {},
  async run(_given, parts) {
    await parts.serve();
    return undefined;
  },
};
