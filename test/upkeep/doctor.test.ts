/** `playmeter doctor` on real processes: a healthy service, and what goes wrong. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { storeWithinMs } from '../../src/app/offline/doctor-checks.ts';
import { readConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { type CommandLine, openCommandLine } from '../support/command-line.ts';
import { startEngineCluster } from '../support/engine-cluster.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { becomeFirst } from '../support/people.ts';
import { program } from '../support/program.ts';
import { runVerb } from '../support/service-kinds.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const execute = promisify(execFile);

interface Finding {
  readonly level: string;
  readonly what: string;
  readonly do: string;
}

let service: ServiceProcess;
let alone: CommandLine;
let other: Server;
beforeAll(async () => {
  service = await startServiceProcess();
  alone = await openCommandLine();
  other = createServer((_, response) => response.end('another program'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  other?.close();
  await alone?.remove();
  await service?.remove();
});

const otherPort = () => String((other.address() as AddressInfo).port);

/** As the service is configured, on its port and its data. */
async function findingsOfService(): Promise<readonly Finding[]> {
  const { findings } = await findingsWith({
    PORT: new URL(service.url).port,
    DATA_DIR: service.dataFolder,
  });
  return findings;
}

async function findingsWith(settings: Readonly<Record<string, string>>) {
  const ran = await alone.runWith(settings, 'doctor', '--json');
  return { code: ran.code, ...(JSON.parse(ran.stdout) as { findings: Finding[] }) };
}

test('an operator gets the same from the running service, examined once for all who ask', async () => {
  const headers = await becomeFirst(service);
  const ask = async () => {
    const answer = await fetch(`${service.url}/manage/v1/service/findings`, { headers });
    return (await answer.json()) as { at: string; findings: Finding[] };
  };
  const [one, other] = await Promise.all([ask(), ask()]);
  const subjects = (findings: readonly Finding[]) =>
    findings.map(({ level, what }) => [level, what.replaceAll(/-?[\d.,]+/g, '0')]);
  expect(subjects(one.findings)).toEqual(subjects(await findingsOfService()));
  expect([other, await ask()]).toEqual([one, one]);
});

test('a service that is well: no finding is an error, and each says what it looked at', async () => {
  const findings = await findingsOfService();
  const whats = findings.map(({ what }) => what);
  expect(whats).toContainEqual(expect.stringMatching(/^Playmeter .*, Node v24/));
  expect(whats).toContainEqual(expect.stringMatching(/are free on the disk/));
  expect(whats).toContainEqual(expect.stringMatching(/^The service is running .*, and ready$/));
  expect(whats).toContainEqual(
    expect.stringMatching(/^The catalog answers in \d+ ms; it has 1 accounts, in SQLite 3/),
  );
  expect(whats).toContainEqual(expect.stringMatching(/in ClickHouse 2\d\./));
  expect(whats).toContainEqual(expect.stringMatching(/^The journal can be read/));
  expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
  expect(findings).toContainEqual({
    level: 'warning',
    what: 'There is no backup yet',
    do: 'Run `playmeter backup` every day, to another disk',
  });
  // What is well asks for nothing, and what is not says what to do.
  for (const { level, do: todo } of findings) expect(todo === '').toBe(level === 'ok');
});

test("the limit of open files is the running service's, not that of the shell", async () => {
  const command = `ulimit -n 300 && exec "${process.execPath}" "${program}" doctor --json`;
  const filesOf = async (port: string): Promise<string | undefined> => {
    const env = { ...process.env, PORT: port, DATA_DIR: service.dataFolder };
    const { stdout } = await execute('sh', ['-c', command], { env });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    return findings.find(({ what }) => what.includes(' may open '))?.what;
  };
  const limits = await readFile(`/proc/${service.processId()}/limits`, 'utf8');
  const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  expect(await filesOf(new URL(service.url).port)).toMatch(
    new RegExp(`^The running service may open ${limit} files`),
  );
  expect(await filesOf('0')).toMatch(/^A process that is started here may open 300 files/);
});

test('a configuration that is not valid: each complaint is a finding', async () => {
  const settings = { PORT: '99999', APP_SECRET: 'short', DATA_DIR: '/nowhere' };
  const { code, findings } = await findingsWith(settings);
  expect(code).toBe(1);
  expect(findings).toEqual(
    ['PORT', 'APP_SECRET'].map((name) => ({
      level: 'error',
      what: expect.stringMatching(new RegExp(`^Configuration: ${name} `)),
      do: expect.stringContaining('docs/configuration.md'),
    })),
  );
  const { stdout, stderr } = await alone.runWith(settings, 'doctor');
  expect({ stdout, stderr }).toEqual({
    stdout: expect.stringMatching(/^ERROR {3}Configuration: PORT .*\n {8}-> Set it/),
    stderr: '',
  });
});

test('what the system says of its clock is passed on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-clock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tell = async (answer: string) => {
    await writeFile(join(folder, 'timedatectl'), `#!/bin/sh\necho ${answer}\n`, { mode: 0o755 });
    const { findings } = await findingsWith({ PORT: '0', PATH: `${folder}:${process.env.PATH}` });
    return findings.filter(({ what }) => /this machine's clock/i.test(what));
  };
  expect(await tell('yes')).toEqual([
    { level: 'ok', what: "This machine's clock is synchronized", do: '' },
  ]);
  expect(await tell('no')).toEqual([
    {
      level: 'warning',
      what: "This machine's clock is not synchronized",
      do: expect.stringContaining('timedatectl set-ntp true'),
    },
  ]);
});

test('after a backup its age is shown', async () => {
  await service.run('backup', `${service.dataFolder}-backup`);
  const findings = await findingsOfService();
  expect(findings).toContainEqual({ level: 'ok', what: 'The last backup is 0 hours old', do: '' });
});

test('another program on the port, and a country database that is not there', async () => {
  const { code, findings } = await findingsWith({
    PORT: otherPort(),
    GEO_MMDB: '/nowhere/countries.mmdb',
  });
  expect(code).toBe(1);
  expect(findings).toContainEqual({
    level: 'error',
    what: `Another program uses port ${otherPort()} of 127.0.0.1`,
    do: 'Stop that program, or set PORT to another port',
  });
  expect(findings).toContainEqual(
    expect.objectContaining({
      level: 'error',
      what: expect.stringContaining('Countries: Cannot read GEO_MMDB /nowhere/countries.mmdb'),
    }),
  );
});

test('settings of the proxy that contradict each other', async () => {
  const { findings } = await findingsWith({
    PORT: '0',
    PUBLIC_URL: 'https://127.0.0.1:1/stats',
    GEO_HEADER: 'CF-IPCountry',
  });
  const warnings = findings.filter(({ level }) => level === 'warning').map(({ what }) => what);
  expect(warnings).toContainEqual(expect.stringMatching(/^The service does not answer at https:/));
  expect(warnings).toContainEqual(expect.stringMatching(/TRUST_PROXY is false: all viewers/));
  expect(warnings).toContainEqual(expect.stringMatching(/^GEO_HEADER is CF-IPCountry/));
  const trusting = await findingsWith({ PORT: '0', TRUST_PROXY: 'true' });
  expect(trusting.findings).toContainEqual(
    expect.objectContaining({ what: expect.stringMatching(/^TRUST_PROXY is true/) }),
  );
});

test('a store that is away is a finding, and all others are still looked at', async () => {
  const config = readConfig({
    ...{ DATA_DIR: alone.folder, PORT: '0' },
    CLICKHOUSE_URL: `http://127.0.0.1:${otherPort()}`,
  });
  // In this process, whose clock need not go on for so long.
  const clock = { ...systemClock, ...hurriedClock(storeWithinMs) };
  const around = { config, clock, logger: pino({ level: 'silent' }) };
  const { code, printed } = await runVerb(around, ['doctor', '--json']);
  const { findings } = JSON.parse(printed.join('\n')) as { findings: Finding[] };
  expect(code).toBe(1);
  expect(findings).toContainEqual(
    expect.objectContaining({ level: 'error', what: expect.stringMatching(/^Stores: /) }),
  );
  expect(findings).toContainEqual(
    expect.objectContaining({ what: expect.stringMatching(/but APP_SECRET is not set$/) }),
  );
});

test("a cluster's clocks are compared with each other, and its fullest disk is named", async () => {
  const shards = await startEngineCluster(2);
  onTestFinished(() => shards.stop());
  // A catalog belongs to its statistics.
  const DATA_DIR = `${alone.folder}/of-cluster`;
  const settings = { PORT: '0', DATA_DIR, ...shards.environment('doctor') };
  const created = await alone.runWith(settings, 'account', 'create', '--name', 'Site');
  expect(created).toMatchObject({ code: 0 });
  expect(await alone.runWith(settings, 'migrate')).toMatchObject({ code: 0 });
  const { findings } = await findingsWith(settings);
  expect(findings).toContainEqual({
    level: 'ok',
    what: expect.stringMatching(
      /^The clocks of the statistics cluster's servers differ by \d+ ms$/,
    ),
    do: '',
  });
  expect(findings).toContainEqual(
    expect.objectContaining({
      what: expect.stringMatching(/^\S+ [MG]B of \S+ [MG]B are free on the fullest disk of the st/),
    }),
  );
});

test('where there is no data yet, nothing is made', async () => {
  const { findings } = await findingsWith({ PORT: '0', DATA_DIR: `${alone.folder}/none` });
  const errors = findings.filter(({ level }) => level === 'error').map(({ what }) => what);
  expect(errors).toEqual([
    expect.stringMatching(/^Data folder .*ENOENT/),
    expect.stringMatching(/^Stores: There is no data in /),
  ]);
});
