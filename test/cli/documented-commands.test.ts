/**
 * Every command of the README and of the guides runs, in the order in which it stands there, on a
 * new service; or a test that is named does what it says, without typing it. The few that nothing
 * runs are listed with the reason. Only what lies outside of a test is put in: where files go, the
 * URL of the service, and keys that are drawn.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shelvesIn } from '../../src/http/pages/guide-list.ts';
import { sayIn } from '../../src/http/pages/messages/messages.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { program } from '../support/program.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const root = join(import.meta.dirname, '../..');

/** By how a command begins: the test that does the same by the same code. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^(PORT=9000 .*)?npm start$/, 'test/start/stop.test.ts'],
  [/^export EXPORT_SCHEDULE=/, 'test/upkeep/scheduled-export.test.ts'],
  [/^npm test$/, 'test/tidy.test.ts'],
  [/^npm run attack/, 'test/attacks/attacks.test.ts'],
  [/^(npm install \/path|npx playmeter serve$)/, 'test/browser/packed-product.test.ts'],
  [
    /^playmeter (query|retention|concurrency|live) |^curl -H 'x-api-key: KEY' /,
    'test/cli/questions.test.ts',
  ],
  [/^playmeter person remove-second-factor /, 'src/cli/command-line.test.ts'],
  [/^playmeter delivery replay /, 'src/cli/command-line.test.ts'],
  [/^CLICKHOUSE_(URL|CLUSTER)=/, 'test/faults/cluster.test.ts'],
  [/^export (BACKUP|VERIFY)_SCHEDULE=/, 'test/upkeep/scheduled-backup.test.ts'],
  [
    /^(export (APP_SECRET|DATABASE_URL|CLICKHOUSE_URL)=|sh deploy\/copy-statistics\.sh$)|playmeter -- (backup \/backups\/before-moving$|catalog move --to postgres|migrate$|verify --repair$)/,
    'test/cli/one-to-many.test.ts',
  ],
];
/** Those that no test runs, with the reason; deploy/README.md says which were run by hand. */
const untested: readonly (readonly [RegExp, string])[] = [
  [
    /^(mkdir \/opt|cd node_modules|useradd|install -m|systemctl|cat \/var|playmeter doctor$)/,
    'They need a machine of their own, with systemd and a user that is new there',
  ],
  [/^(docker|kubectl) /, 'They need an engine for containers, which no machine of ours has'],
];
const ofOthers = (command: string) =>
  [...elsewhere, ...untested].find(([begin]) => begin.test(command));

interface Block {
  readonly page: string;
  readonly commands: readonly string[];
}

const pages = [
  'README.md',
  'deploy/README.md',
  ...shelvesIn(sayIn('en')).flatMap(({ guides }) => guides.map(({ file }) => file)),
];
const blocks: readonly Block[] = [...new Set(pages)]
  .filter((page) => page.endsWith('.md'))
  .flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(
      ([, text = '']) => ({ page, commands: commandsOf(text) }),
    ),
  );
const own = blocks
  .map(({ page, commands }) => ({ page, commands: commands.filter((one) => !ofOthers(one)) }))
  .filter(({ commands }) => commands.length > 0);

/** A command ends with its line, unless a quotation is open or a backslash ends it. */
function commandsOf(text: string): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of text.trimEnd().split('\n')) {
    open = open === '' ? line : `${open}\n${line}`;
    if (open.endsWith('\\') || (open.match(/'/g)?.length ?? 0) % 2 === 1) continue;
    commands.push(open.replace(/ +# .*$/, '').trim());
    open = '';
  }
  return commands.filter((command) => command !== '');
}

let folder: string;
let service: ServiceProcess;
let store: ObjectStore;
/** What earlier commands printed: keys of the interface, and of videos. */
let key: string;
let accessKey: string;
let restores = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'playmeter-commands-'));
  for (const name of ['backups', 'exports', 'films']) mkdirSync(join(folder, name));
  cpSync(join(root, 'demo/clip.mp4'), join(folder, 'films/clip.mp4'));
  writeFileSync(
    join(folder, 'accounts.csv'),
    'name,timeZone\nStudio North,\nStudio South,Asia/Seoul\n',
  );
  store = await startObjectStore();
  service = await startServiceProcess();
  key = service.key;
});
afterAll(async () => {
  await service?.remove();
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('each stands in the list of others only once it is needed, and their tests exist', () => {
  const all = blocks.flatMap(({ commands }) => commands);
  for (const [begin] of [...elsewhere, ...untested]) {
    expect(
      all.some((command) => begin.test(command)),
      String(begin),
    ).toBe(true);
  }
  for (const [, file] of elsewhere) {
    expect(file).toMatch(/\.test\.ts$/);
    expect(existsSync(join(root, file)), file).toBe(true);
  }
  // Of no other page: whoever writes a command into one has it run.
  const pagesOfUntested = blocks
    .filter(({ commands }) => commands.some((one) => untested.some(([begin]) => begin.test(one))))
    .map(({ page }) => page);
  expect([...new Set(pagesOfUntested)]).toEqual(['deploy/README.md']);
  expect(own.length).toBeGreaterThan(15);
});

test.each(own)('$page: $commands.0', async ({ commands }) => {
  // Each erasure waits for seconds for what is on its way: those that stand together, at once.
  if (commands.every((command) => command.includes(' erase '))) {
    await Promise.all(commands.map(expectSuccess));
    return;
  }
  for (const command of commands) {
    const stdout = await expectSuccess(command);
    if (!stdout.includes('"isSuccess":false')) learnFrom(command, stdout);
  }
});

async function expectSuccess(command: string): Promise<string> {
  const { code, stdout, stderr } = await run(command);
  const complaints = code === 0 ? '' : stderr;
  expect({ command, code, complaints }).toEqual({ command, code: 0, complaints: '' });
  return stdout;
}

function learnFrom(command: string, stdout: string): void {
  if (command.includes('key create --account 2 ')) key = /pm_\S+/.exec(stdout)?.[0] ?? key;
  accessKey = /"accessKey":"([^"]+)"/.exec(stdout)?.[1] ?? accessKey;
  if (!command.includes('video add')) return;
  const beacon = { view: 'long ago', stretch: 0, at: '2026-10-01T12:00:00Z', playMs: 1_000 };
  const of = { accessKey, packageId: 2 };
  writeFileSync(join(folder, 'history.jsonl'), `${JSON.stringify({ ...beacon, ...of })}\n`);
  writeFileSync(join(folder, 'library.csv'), 'cid,folderId,title\nanother,2,Another\n');
}

function run(command: string) {
  const script = `
    playmeter() { "$NODE" "$PROGRAM" "$@"; }
    npm() { while [ "$1" != -- ]; do shift; done; shift; playmeter "$@"; }
    ${putIn(command)}`;
  const env = {
    ...process.env,
    ...store.environment,
    DATA_DIR: service.dataFolder,
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'playmeter@example.com',
    NODE: process.execPath,
    PROGRAM: program,
    KEY: key,
    VIDEO_KEY: /\/watch\/(.+)/.exec(service.pageUrl)?.[1],
  };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile('sh', ['-ec', script], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** What a reader has to put in as well. */
function putIn(command: string): string {
  const restored = join(folder, `restored-${restores}`);
  if (command.includes(' restore ')) restores += 1;
  return (
    command
      .replace(/^(KEY|VIDEO_KEY)=.*$/, ':')
      .replace(/^export AWS_.*$/, ':')
      .replace(/(http:\/\/127\.0\.0\.1:8080|https:\/\/media\.example\.com)/g, service.url)
      .replace(/ \/(backups|exports)/g, ` ${folder}/$1`)
      .replace('> /backups', `> ${folder}/backups`)
      .replaceAll(/s3:\/\/my-(backups|exports)/g, store.location)
      .replace('DATA_DIR=/var/lib/playmeter', `DATA_DIR=${restored}`)
      .replace('THAT_KEY', key)
      .replace('ACCESS_KEY', accessKey)
      // Of another service: here it is that of the same account, whose facts are there already.
      .replace(
        'beacons import --account 4 account.jsonl',
        'beacons import --account 1 account.jsonl',
      )
      .replace(
        '--account 1 --video aB3xY9 --package 2',
        `--account 2 --video ${accessKey} --package 2`,
      )
  );
}
