/** What `alert create` and `report create` share. */
import type { CatalogParts } from '../catalog/catalog.ts';
import { found } from '../managing/accepted.ts';
import { declaredLabels } from '../report/filters/declared-labels.ts';
import { Fault } from '../wire/faults.ts';
import type { Arguments } from './arguments.ts';
import { optionalOption } from './options.ts';

export const receiverOptions = {
  url: optionalOption('Webhook that messages are posted to', 'URL'),
  secret: optionalOption('Secret to sign them with; default: a new one, shown only once', 'WHSEC'),
  'mail-to': optionalOption('Mail addresses, separated by commas', 'ADDRESSES'),
};

/** How the value of an option is read, by its field; a text if absent. */
type Readers = Readonly<Record<string, (given: Arguments, option: string) => unknown>>;

const number = (given: Arguments, option: string) => given.number(option);
const list = (given: Arguments, option: string) =>
  given
    .text(option)
    .split(',')
    .map((text) => text.trim());

const readers: Readers = {
  ...{ above: number, below: number, percent: number, weeks: number, atLeast: number },
  ...{ minutes: number, weekday: number, hour: number, top: number, mailTo: list },
};

/** The fields of the interface, from the options that are given; `fields`: field by option. */
export function fieldsFrom(
  given: Arguments,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([option, field]) => {
      if (!given.has(option)) return [];
      return [[field, readers[field]?.(given, option) ?? given.text(option)]];
    }),
  );
}

/** Runs, and names the options in place of the fields in what is refused. */
export function namingOptions<Value>(
  fields: Readonly<Record<string, string>>,
  run: () => Value,
): Value {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Fault) || error.errors === undefined) throw error;
    const errors = error.errors.map(({ parameter, detail }) => {
      const name = parameter.split(/[./]/)[0];
      const option = Object.entries(fields).find(([, field]) => field === name)?.[0];
      return { parameter: option === undefined ? parameter : `--${option}`, detail };
    });
    const message = errors.map(({ parameter, detail }) => `${parameter} ${detail}`).join('; ');
    throw new Fault(error.code, message, { errors });
  }
}

/** Whose statistics a rule reads. */
export async function askerOf(
  { accounts, labels }: Pick<CatalogParts, 'accounts' | 'labels'>,
  accountId: number,
) {
  const { timeZone } = found(await accounts.find(accountId), 'NO_ACCOUNT');
  return { accountId, timeZone, labels: await declaredLabels(labels, accountId) };
}
