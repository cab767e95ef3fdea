import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { encodeFacts } from './fact-batch.ts';
import { checkJournal } from './journal-file.ts';
import { createFrame } from './journal-frame.ts';

const fact = {
  ...{ accountId: 1, slotStart: 900_000, packageId: 1, videoId: 1, os: 'Linux', osVersion: '' },
  ...{ view: 'view', stretch: 0, suspect: '', plays: 1, playMs: 1 },
};
const frame = (facts: number) => createFrame(encodeFacts(Array(facts).fill(fact)), 1);

test('the facts and the damaged places of a journal, in the folders of workers too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-journal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(await checkJournal(folder)).toEqual({ facts: 0, damaged: [], setAside: [] });
  expect(await checkJournal(join(folder, 'none'))).toMatchObject({ facts: 0 });
  await mkdir(join(folder, 'worker'));
  const noise = Buffer.alloc(40, 1);
  const files = {
    // Torn at the end: that was never acknowledged.
    '2.journal': Buffer.concat([frame(2), frame(3), frame(1).subarray(0, 30)]),
    '1.journal': Buffer.concat([noise, frame(5), noise, frame(1)]),
    [join('worker', '1.journal')]: frame(7),
    'one.journal.damaged': noise,
    'another file': frame(9),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  expect(await checkJournal(folder)).toEqual({
    facts: 18,
    damaged: [{ file: '1.journal', places: 2 }],
    setAside: ['one.journal.damaged'],
  });
});

test('a file that cannot be read is not taken for an empty one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-journal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'file'));
  await expect(checkJournal(join(folder, 'file', '\0'))).rejects.toThrow();
});
