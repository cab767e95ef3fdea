/** A backup that an earlier release made: this one restores it, and gives the answers it gave. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

interface Former {
  /** Of the account that asked. */
  readonly key: string;
  /** By path and query, without the ids of requests. */
  readonly answers: Readonly<Record<string, object>>;
}

const kept = join(import.meta.dirname, 'former');

let service: ServiceProcess;
let unpacked: string;
beforeAll(async () => {
  unpacked = await mkdtemp(join(tmpdir(), 'playmeter-former-'));
  service = await startServiceProcess();
  await service.kill('SIGTERM');
});
afterAll(async () => {
  await service?.remove();
  await rm(unpacked, { recursive: true, force: true });
});

test.each(['before-regular-views'])('a backup of %s is restored and answers', async (release) => {
  const former: Former = JSON.parse(await readFile(join(kept, `${release}.json`), 'utf8'));
  execFileSync('tar', ['-xzf', join(kept, `${release}.tar.gz`), '-C', unpacked]);
  for (const name of await readdir(service.dataFolder)) {
    await rm(join(service.dataFolder, name), { recursive: true });
  }
  const backup = join(unpacked, 'backup');
  expect(await service.run('restore', backup)).toMatchObject({
    verification: { isSound: true, facts: 40 },
  });
  await service.start();
  const ask = async (path: string) => {
    const response = await fetch(service.url + path, { headers: { 'x-api-key': former.key } });
    const answer = (await response.json()) as { data?: { requestId?: string } };
    if (answer.data) delete answer.data.requestId;
    return [path, answer] as const;
  };
  const answers = Object.keys(former.answers).map(ask);
  expect(Object.fromEntries(await Promise.all(answers))).toEqual(former.answers);
});
