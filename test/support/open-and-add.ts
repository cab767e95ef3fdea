/** A process of its own for the contract suite: opens a catalog, adds an account, says its id. */
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';

const location = JSON.parse(process.argv[2] ?? '');
const catalog = await openCatalog({ location, clock: systemClock });
const account = accepted(
  await catalog.accounts.create({ name: 'Another process', timeZone: 'UTC' }),
);
console.log(account.accountId);
await catalog.close();
