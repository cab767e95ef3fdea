import { collectDemo } from '../../../demo/data/collect-demo.ts';
import {
  createDemoAccount,
  type DemoAccount,
  findDemoAccounts,
  retireDemoAccount,
} from '../../../demo/data/demo-account.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { untilAborted } from '../../lib/tasks/abortable.ts';
import { counted } from '../../lib/values/counted.ts';
import { takesKeys } from '../../operations/people/key-sign-in.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { type Arguments, WrongUsage } from '../runner/arguments.ts';
import { withBar } from '../runner/input.ts';
import { withInterruption } from '../runner/interruption.ts';
import { jsonOption, type Option } from '../runner/options.ts';
import { operator, withCatalog, withNewCatalog } from '../runner/with-catalog.ts';
import type { Outcome, Parts, Verb } from '../verb.ts';

const mostPlays = 10_000_000;
const mostSeed = 2 ** 32 - 1;

const number = (description: string, initial: string): Option => ({
  ...{ type: 'string', description, valueHint: 'N', default: initial },
});

export const demo: Verb = {
  words: 'demo',
  summary: 'Make an account with a year of invented plays, to look at the dashboard',
  options: {
    plays: number('How many plays', '100000'),
    seed: number('The same number makes the same plays', '1'),
    remove: { type: 'boolean', description: 'Remove the account of the demo' },
    json: jsonOption,
  },
  async run(given, parts) {
    if (given.flag('remove')) return remove(parts);
    const plays = numberWithin(given, 'plays', 1, mostPlays);
    const seed = numberWithin(given, 'seed', 0, mostSeed);
    parts.complain('Making an account with films and pictures ...');
    const account = await withNewCatalog(parts, (catalog) =>
      createDemoAccount(catalog, parts.content),
    );
    const { accountId } = account;
    const collected = await collectInto(parts, { account, plays, seed });
    const lines = [
      `Account ${accountId}: ${counted(collected, 'invented play')} of a year`,
      await withCatalog(parts, (catalog) => sayHowToLook(catalog, account, parts)),
      'Remove them with: playmeter demo --remove',
    ];
    if (given.flag('json')) parts.complain(lines[1] ?? '');
    return { json: { accountId, plays: collected }, lines };
  },
};

/** By a link where keys sign in; otherwise the operators become owners of what is invented. */
async function sayHowToLook(
  catalog: Catalog,
  { accountId, keyId }: DemoAccount,
  { content: { publicUrl: url }, keySignIn }: Parts,
): Promise<string> {
  const people = await catalog.people.list();
  if (takesKeys(keySignIn, people.length > 0)) {
    const link = await catalog.sessions.createLink(keyId);
    return `Look at them, signed in once, within a day: ${url}/#sign-in=${link}`;
  }
  const operators = people.filter(({ isOperator }) => isOperator);
  for (const { personId } of operators) {
    const owner = { role: 'owner' as const, packageIds: undefined };
    accepted(await catalog.memberships.put({ accountId, personId, ...owner }));
  }
  if (operators.length > 0) return `Look at them, as an operator: ${url}/?account=${accountId}`;
  const add = `playmeter member add --account ${accountId} --role owner --person ID`;
  return `Look at them at ${url}/?account=${accountId}, once you are a member: ${add}`;
}

type Wanted = Pick<Parameters<typeof collectDemo>[0], 'account' | 'plays' | 'seed'>;

/** Interrupted, it ends at once, and what is under way with the process. */
function collectInto(parts: Parts, wanted: Wanted): Promise<number> {
  return withInterruption((signal) =>
    untilAborted(collectUntil(signal, parts, wanted), signal).catch(sayWhatIsLeft(signal)),
  );
}

async function collectUntil(signal: AbortSignal, parts: Parts, wanted: Wanted): Promise<number> {
  const { accountId } = wanted.account;
  const importer = await parts.openImporter();
  try {
    parts.complain(`Inventing ${counted(wanted.plays, 'play')} of a year ...`);
    const collected = await withBar((noteBar) =>
      collectDemo({
        ...{ ...wanted, clock: parts.clock, signal },
        noteProgress: sayTenths(parts, noteBar),
        collect: (beacons) => importer.collect(beacons, accountId),
      }),
    );
    parts.complain('Counting them ...');
    await importer.finish();
    return collected;
  } finally {
    await importer.close();
  }
}

/** In lines where nobody sees the bar, as in the log of a script. */
function sayTenths(parts: Parts, noteBar: (share: number) => void): (share: number) => void {
  let said = 0;
  return (share) => {
    noteBar(share);
    const tenths = Math.floor(share * 10);
    if (process.stderr.isTTY || tenths <= said) return;
    said = tenths;
    parts.complain(`${tenths * 10} %`);
  };
}

function sayWhatIsLeft(signal: AbortSignal) {
  return (error: unknown): never => {
    if (!signal.aborted) throw error;
    const rest = 'Interrupted: remove what there is with: playmeter demo --remove';
    throw new Fault('UNAVAILABLE', rest);
  };
}

/** May be interrupted, and is then done by running it again. */
async function remove(parts: Parts): Promise<Outcome> {
  const [accountId] = await withCatalog(parts, findDemoAccounts);
  if (accountId === undefined) throw new Fault('NOT_FOUND', 'There is no account of a demo');
  const { catalog: own, eraser, close } = await parts.openErasureService();
  const catalog = own.as(operator());
  try {
    const { receipt, views } = await withInterruption(async (signal) => {
      const { receipt } = await untilAborted(eraser.record(catalog, { accountId }), signal);
      return untilAborted(eraser.carryOut(catalog, receipt, signal), signal);
    });
    await retireDemoAccount(catalog, accountId, parts.content);
    const line = `Account ${accountId} is empty: erased ${counted(views, 'view')}, ${receipt}`;
    return { json: { accountId, views, receipt }, lines: [line] };
  } finally {
    await close();
  }
}

function numberWithin(given: Arguments, option: string, least: number, most: number): number {
  const value = given.number(option);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new WrongUsage(`--${option} must be a whole number from ${least} to ${most}`);
}
