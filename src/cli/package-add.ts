import type { Catalog } from '../catalog/catalog.ts';
import { videoBatchLimit } from '../catalog/catalog.ts';
import { readLines } from '../lib/values/line-stream.ts';
import { accepted, toFault } from '../operations/refusal-faults.ts';
import { type Arguments, WrongUsage } from './runner/arguments.ts';
import { openInput } from './runner/input.ts';
import { keyPrinter } from './runner/key-printer.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from './runner/options.ts';
import { withCatalog } from './runner/with-catalog.ts';
import type { Outcome, Parts, Verb } from './verb.ts';

const maxLineBytes = 1_024;

export const packageAdd: Verb = {
  words: 'package add',
  summary: 'Put videos into a package; prints the video keys under which players report',
  options: {
    account: accountOption,
    package: requiredOption('Package id', 'ID'),
    'access-key': optionalOption('Original key of a video; may be given several times', 'K'),
    folder: optionalOption('Add all videos of this folder, by its id', 'ID'),
    keys: optionalOption('File with one original key per line, - for standard input', 'FILE'),
    json: jsonOption,
  },
  async run(given, parts) {
    const sources = [given.has('access-key'), given.has('folder'), given.has('keys')];
    if (sources.filter(Boolean).length !== 1) {
      throw new WrongUsage('give one of --access-key, --folder and --keys');
    }
    const [first, ...further] = given.texts('access-key');
    if (first === undefined || further.length > 0) {
      return withCatalog(parts, (catalog) => addMany(catalog, given, parts));
    }
    return withCatalog(parts, async ({ publications }) => {
      const name = { accountId: given.id('account'), packageId: given.id('package') };
      const { videoKey } = accepted(await publications.publish({ ...name, accessKey: first }));
      return { json: { videoKey }, lines: [videoKey] };
    });
  },
};

async function addMany(catalog: Catalog, given: Arguments, parts: Parts): Promise<Outcome> {
  const accountId = given.id('account');
  const packageId = given.id('package');
  const printKey = keyPrinter(given, parts);
  let isIncomplete = false;
  for await (const accessKeys of readBatches(catalog, given)) {
    const results = await catalog.publications.publishMany(accountId, packageId, accessKeys);
    for (const [index, result] of results.entries()) {
      const accessKey = accessKeys[index] ?? '';
      if (result.ok) {
        printKey({ accessKey, ...result.value });
        continue;
      }
      isIncomplete = true;
      parts.complain(`${accessKey}: ${toFault(result.reason).message}`);
      if (result.reason.code === 'NO_PACKAGE') return { lines: [], isIncomplete };
    }
  }
  return { lines: [], isIncomplete };
}

function readBatches(catalog: Catalog, given: Arguments): AsyncIterable<string[]> {
  if (given.has('folder')) return keysOfFolder(catalog, given.id('account'), given.id('folder'));
  return inBatches(given.has('keys') ? keysOfFile(given.text('keys')) : given.texts('access-key'));
}

/** Oldest first, so that a video added meanwhile comes last. */
async function* keysOfFolder(
  { videos }: Catalog,
  accountId: number,
  folderId: number,
): AsyncGenerator<string[]> {
  const query = {
    searchItem: 'title',
    keyword: '',
    sortItem: 'id',
    sortDirection: 'asc',
    pageSize: videoBatchLimit,
  } as const;
  for (let page = 1; ; page += 1) {
    const found = accepted(await videos.listFolder(accountId, folderId, { ...query, page }));
    if (found.videos.length === 0) return;
    yield found.videos.map(({ accessKey }) => accessKey);
  }
}

async function* keysOfFile(file: string): AsyncGenerator<string> {
  const input = await openInput(file);
  try {
    for await (const line of readLines(input.bytes, maxLineBytes)) {
      // A longer line holds no key; it is refused like one that nobody has.
      const key = line === undefined ? '(a line that is too long)' : line.trim();
      if (key !== '') yield key;
    }
    input.advance();
  } finally {
    input.end();
  }
}

async function* inBatches(
  keys: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const key of keys) {
    batch.push(key);
    if (batch.length < videoBatchLimit) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
