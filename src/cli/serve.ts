import type { Verb } from './verb.ts';

export const serve: Verb = {
  words: 'serve',
  summary: 'Run the service until it is told to stop',
  options: {},
  async run(_given, parts) {
    await parts.serve();
    return undefined;
  },
};
