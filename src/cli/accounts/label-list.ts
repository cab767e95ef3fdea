import { accountOption, jsonOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const labelList: Verb = {
  words: 'label list',
  summary: 'List the labels of an account',
  options: { account: accountOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const labels = await catalog.labels.list(given.id('account'));
      const labelList = labels.map(({ labelId, name, declaredAt }) => ({
        labelId,
        name,
        declaredAt: declaredAt.toISOString(),
      }));
      const lines = labelList.map(({ labelId, name, declaredAt }) =>
        [labelId, name, `since ${declaredAt}`].join('\t'),
      );
      return { json: { labelList }, lines };
    }),
};
