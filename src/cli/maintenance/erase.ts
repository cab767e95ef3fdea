import { untilAborted } from '../../lib/tasks/abortable.ts';
import { counted } from '../../lib/values/counted.ts';
import type { ErasureService } from '../../maintenance/erase/eraser.ts';
import type { ErasureRequest } from '../../maintenance/erase/erasure-request.ts';
import { writeReceipt } from '../../operations/erasure-receipts.ts';
import { type Arguments, WrongUsage } from '../runner/arguments.ts';
import { withBar } from '../runner/input.ts';
import { withInterruption } from '../runner/interruption.ts';
import { accountOption, jsonOption, optionalOption } from '../runner/options.ts';
import { showTable } from '../runner/table-text.ts';
import { operator, withCatalog } from '../runner/with-catalog.ts';
import type { Outcome, Parts, Verb } from '../verb.ts';

export const erase: Verb = {
  words: 'erase',
  summary: 'Erase playback for good: a view, a viewer, a video, a package, or all of an account',
  options: {
    account: accountOption,
    view: optionalOption('Only this view, as the page calls it', 'V'),
    viewer: optionalOption('Only this viewer, as the page or a token calls them', 'V'),
    video: optionalOption('Only playback of this video: its original key', 'K'),
    package: optionalOption('Only playback in this package', 'N'),
    before: optionalOption('Only what was played before this day of the account', 'DATE'),
    'keep-sums': {
      type: 'boolean',
      description: 'With --before alone: erase single facts, and keep plays and time',
    },
    'dry-run': { type: 'boolean', description: 'Count what would be erased, and change nothing' },
    json: jsonOption,
  },
  async run(given, parts) {
    const request = readRequest(given);
    const { catalog: own, eraser, close } = await parts.openErasureService();
    const catalog = own.as(operator());
    try {
      return await withInterruption((signal) =>
        given.flag('dry-run')
          ? count(request, { catalog, eraser, signal })
          : eraseNow(request, { catalog, eraser, signal, complain: parts.complain }),
      );
    } finally {
      await close();
    }
  },
};

export const erasureList: Verb = {
  words: 'erasure list',
  summary: 'List what was erased; keep it with --json beside the backups, for a restore',
  options: {
    account: optionalOption('Only of this account; default: all', 'N'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async ({ erasures }) => {
      const all = await erasures.list(given.has('account') ? given.id('account') : undefined);
      const list: object[] = [];
      for (const erasure of all) {
        list.push(writeReceipt(erasure, await erasures.viewsOf(erasure.receipt)));
      }
      const rows = all.map(({ receipt, accountId, at, kind, state, views, facts, ...by }) => [
        ...[receipt, accountId, at.toISOString(), kind, state, views, facts],
        `${by.actor} ${by.actorName}`.trim(),
      ]);
      const header = ['RECEIPT', 'ACCOUNT', 'AT', 'KIND', 'STATE', 'VIEWS', 'FACTS', 'BY'];
      return { json: { list }, lines: showTable(header, rows) };
    }),
};

interface Erasing extends Pick<ErasureService, 'catalog' | 'eraser'> {
  readonly signal: AbortSignal;
}

async function count(
  request: ErasureRequest,
  { catalog, eraser, signal }: Erasing,
): Promise<Outcome> {
  const { views, facts } = await withBar((noteProgress) =>
    untilAborted(eraser.count(catalog, request, noteProgress), signal),
  );
  const line = `Would erase ${counted(views, 'view')} (${counted(facts, 'fact')})`;
  return { json: { receipt: null, views, facts }, lines: [line] };
}

/** What was recorded is carried out by the service, also if this is interrupted. */
async function eraseNow(
  request: ErasureRequest,
  { catalog, eraser, signal, complain }: Erasing & Pick<Parts, 'complain'>,
): Promise<Outcome> {
  const { receipt } = await untilAborted(eraser.record(catalog, request), signal);
  complain(`Recorded under receipt ${receipt}; if this is interrupted, it goes on later`);
  const { views, facts } = await withBar((noteProgress) =>
    untilAborted(eraser.carryOut(catalog, receipt, signal, noteProgress), signal),
  );
  const line = `Erased ${counted(views, 'view')} (${counted(facts, 'fact')}): ${receipt}`;
  return { json: { receipt, views, facts }, lines: [line] };
}

function readRequest(given: Arguments): ErasureRequest {
  const text = (name: string) => {
    if (!given.has(name)) return undefined;
    // A variable of a script that is empty must not erase more than was meant.
    if (given.text(name) === '') throw new WrongUsage(`--${name} is empty`);
    return given.text(name);
  };
  const [view, viewer, accessKey] = ['view', 'viewer', 'video'].map(text);
  const before = text('before') && given.day('before');
  const packageId = given.has('package') ? given.id('package') : undefined;
  const isOfVideos = accessKey !== undefined || packageId !== undefined;
  if ([view !== undefined, viewer !== undefined, isOfVideos].filter(Boolean).length > 1) {
    throw new WrongUsage('give only one of --view, --viewer, and --video or --package');
  }
  const keepSums = given.flag('keep-sums');
  return { accountId: given.id('account'), view, viewer, accessKey, packageId, before, keepSums };
}
