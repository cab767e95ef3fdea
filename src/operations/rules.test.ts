import { expect, onTestFinished, test } from 'vitest';
import { openCatalogAlone } from '../../test/support/catalog-alone.ts';
import { addAccount } from '../../test/support/catalogs.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createRuleReader } from '../alerts/rule-parser.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { assert } from '../lib/assert.ts';
import { operations } from './operations.ts';
import { accepted } from './refusal-faults.ts';
import { createSigningSealer } from './signing-keys.ts';

test('a change leaves what another one changes meanwhile as that has made it', async () => {
  const catalog = await openCatalogAlone(manualClock());
  onTestFinished(() => catalog.close());
  const accountId = await addAccount(catalog);
  const rule = accepted(
    await catalog.rules.create({
      ...{ accountId, name: 'A', terms: { kind: 'silence', minutes: 5, filters: null } },
      ...{ url: 'https://old.example.com/', sealedSecret: Buffer.from('old'), mailTo: [] },
    }),
  );
  const others = {
    ...{ url: 'https://new.example.com/', sealedSecret: Buffer.from('new') },
    terms: { kind: 'silence', minutes: 9, filters: null } as const,
  };
  // The other one takes its turn right before this one gets the lock.
  const change: Catalog['rules']['change'] = async (name, revise) => {
    accepted(await catalog.rules.change(name, () => others));
    return catalog.rules.change(name, revise);
  };
  const operation = operations.find(({ operationId }) => operationId === 'changeAlert');
  assert(operation?.run, 'it is in the list');
  const sealer = createSigningSealer('a secret');
  await operation.run({
    ...{ accountId, path: { alertId: rule.ruleId }, query: {}, body: { name: 'B' } },
    catalog: { ...catalog, rules: { ...catalog.rules, change } },
    services: {
      signingSealer: async () => sealer,
      ruleReader: async () => createRuleReader({ sealer, canMail: false }),
    },
  });
  expect(await catalog.rules.find(rule)).toMatchObject({ name: 'B', ...others });
});
