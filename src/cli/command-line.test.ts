import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.ts';
import { openCatalog } from '../catalog/open-catalog.ts';
import { systemClock } from '../lib/time/clock.ts';
import { accepted } from '../operations/refusal-faults.ts';
import { createSigningSealer } from '../operations/signing-keys.ts';
import { runCommandLine, terminalText } from './command-line.ts';
import type { Parts } from './verb.ts';
import { verbs } from './verbs.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-cli-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function openHere() {
  const location = { sqliteFile: join(folder, 'catalog.db') };
  return openCatalog({ location, clock: systemClock });
}

const hook = 'https://hooks.example.com/a';
const noFacts = () => Promise.reject(new Error('no facts in these tests'));

async function run(...argv: string[]) {
  const printed: string[] = [];
  const complaints: string[] = [];
  const parts: Parts = {
    version: '1.2.3',
    clock: systemClock,
    keySignIn: undefined,
    keeping: {
      ...{ auditDays: 400, snapshotSeconds: 3_600, countrySource: 'a database' },
      ...{ exports: undefined },
    },
    content: { contentFolder: join(folder, 'content'), publicUrl: 'http://localhost' },
    openCatalog: openHere,
    makeCatalog: openHere,
    serve: async () => {},
    openImporter: () => Promise.reject(new Error('no importer in these tests')),
    ...{ openSuspects: noFacts, openQuestions: noFacts, openMaintenance: noFacts },
    ...{
      openErasureService: noFacts,
      openTables: noFacts,
      moveCatalog: noFacts,
      openBackupSource: noFacts,
      restore: noFacts,
    },
    examinations: async () => [],
    openPlace: () => expect.fail('no backups in these tests'),
    mailer: async () => undefined,
    signingSealer: async () => createSigningSealer('a secret of the service'),
    ruleContext: async () => ({ sealer: createSigningSealer('a secret'), canMail: false }),
    describeInterface: () => Promise.resolve({ openapi: '3.1.1' }),
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
  };
  const code = await runCommandLine(argv, parts);
  return { code, printed: printed.join('\n'), complaints: complaints.join('\n') };
}

/** What a verb prints with --json. */
async function ask(...argv: string[]) {
  const { code, printed, complaints } = await run(...argv, '--json');
  expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
  return JSON.parse(printed);
}

async function newAccount(): Promise<string> {
  const { accountId } = await ask('account', 'create', '--name', 'Studio');
  return String(accountId);
}

/** Of an account of which nothing more is said. */
const settings = {
  ...{ name: 'Studio', takesUnsealed: false, factsMonths: 25, keepsSums: true },
  viewers: 'anonymous',
};

describe('what the verbs print with --json', () => {
  test('account', async () => {
    const created = await ask('account', 'create', '--name', 'Studio', '--time-zone=Asia/Seoul');
    expect(created).toEqual({ accountId: expect.any(Number) });
    const { accountList } = await ask('account', 'list');
    const timeZone = 'Asia/Seoul';
    expect(accountList).toContainEqual({ ...created, ...settings, timeZone, closedAt: null });
  });

  test('privacy', async () => {
    const account = await newAccount();
    await ask('account', 'change', '--account', account, '--viewers', 'none');
    const { accounts } = await ask('privacy');
    expect(accounts).toContainEqual({
      ...{ accountId: Number(account), name: 'Studio', timeZone: expect.any(String) },
      ...{ viewers: 'none', factsMonths: 25, keepsSums: true, labels: [], rules: 0, shares: 0 },
    });
  });

  test('an account is closed by its name alone, and open again with it', async () => {
    const account = await newAccount();
    const of = ['--account', account];
    const wrong = await run('account', 'close', ...of, '--name', 'Studios');
    expect([wrong.code, wrong.complaints]).toEqual([2, expect.stringContaining('--name')]);
    const closedAt = async () => {
      const { accountList } = await ask('account', 'list');
      const named = accountList.find(
        (one: { accountId: number }) => `${one.accountId}` === account,
      );
      return named.closedAt;
    };
    expect(await closedAt()).toBeNull();
    const accountId = Number(account);
    expect(await ask('account', 'close', ...of, '--name', 'Studio')).toEqual({ accountId });
    expect(await closedAt()).toEqual(expect.any(String));
    await ask('account', 'reopen', ...of);
    expect(await closedAt()).toBeNull();
  });

  test('people and members', async () => {
    const account = await newAccount();
    const of = ['--account', account];
    const email = `kim${account}@example.com`;
    const kim = ['--email', email, '--name', 'Kim', '--language', 'ko', '--operator'];
    const { personId, link } = await ask('person', 'create', ...kim);
    expect(link).toMatch(/^http:\/\/localhost\/#reset=[\w-]{43}$/);
    const person = ['--person', String(personId)];
    expect((await ask('person', 'list')).personList).toContainEqual({
      ...{ personId, email, name: 'Kim', language: 'ko', isOperator: true },
      ...{ hasPassword: false, hasSecondFactor: false },
      ...{ createdAt: expect.any(String), lastSeenAt: null },
    });
    const added = await ask('member', 'add', ...of, ...person, '--role', 'owner');
    expect(added).toEqual({ personId, role: 'owner' });
    expect((await ask('member', 'list', ...of)).memberList).toMatchObject([
      { personId, email, role: 'owner', packageIds: null },
    ]);
    const refused = await run('member', 'remove', ...of, ...person);
    expect([refused.code, refused.complaints]).toEqual([1, expect.stringContaining('owner')]);

    const { packageId } = await ask('package', 'create', ...of, '--name', 'Course');
    const invite = ['person', 'invite', ...of, '--email', 'lee@example.com', '--role'];
    const narrowed = ['analyst', '--packages', String(packageId)];
    expect((await ask(...invite, ...narrowed)).link).toMatch(/#invitation=[\w-]{43}$/);
    const reset = await ask('person', 'reset', ...person);
    expect(reset).toEqual({ personId, link: expect.stringMatching(/#reset=[\w-]{43}$/) });
    expect(reset.link).not.toBe(link);
    const catalog = await openHere();
    const [noted] = await catalog.audit.listOfService({ limit: 1 });
    expect(noted).toMatchObject({
      ...{ action: 'RESET_SHOWN', object: String(personId), actor: 'COMMAND_LINE' },
    });
    await catalog.close();
    const moved = await ask('person', 'email', ...person, '--email', `new-${email}`);
    expect(moved).toEqual({ personId, link: expect.stringMatching(/#email=[\w-]{43}$/) });

    const second = await ask('person', 'create', '--email', `l${email}`, '--name', 'Lee');
    const asLee = ['--person', String(second.personId)];
    await ask('member', 'add', ...of, ...asLee, '--role', ...narrowed);
    expect(await ask('member', 'remove', ...of, ...asLee)).toEqual({ personId: second.personId });
    expect(await ask('person', 'remove', ...asLee)).toEqual({ personId: second.personId });
    const audit = JSON.stringify(await ask('audit', 'list', ...of));
    for (const secret of [link, reset.link]) expect(audit).not.toContain(secret.split('=')[1]);
  });

  test('a second factor is removed here alone, which both audits say', async () => {
    const account = await newAccount();
    const of = ['--account', account];
    const about = ['--email', `lost${account}@example.com`, '--name', 'Lost'];
    const { personId } = await ask('person', 'create', ...about);
    const person = ['--person', String(personId)];
    await ask('member', 'add', ...of, ...person, '--role', 'owner');
    const remove = ['person', 'remove-second-factor', ...person];
    const refused = await run(...remove);
    expect([refused.code, refused.complaints]).toEqual([1, expect.stringContaining('has no')]);
    const catalog = await openHere();
    accepted(await catalog.people.prepareSecondFactor(personId, new Uint8Array([1])));
    accepted(await catalog.people.confirmSecondFactor({ personId, step: 1 }, ['a hash']));
    expect(await ask(...remove)).toEqual({ personId, isMailed: false });
    expect(await catalog.people.find(personId)).toMatchObject({ hasSecondFactor: false });
    expect(await catalog.people.countRecoveryCodes(personId)).toBe(0);
    const noted = { action: 'SECOND_FACTOR_REMOVED', actor: 'COMMAND_LINE' };
    const [newest] = await catalog.audit.listOfService({ limit: 1 });
    expect(newest).toMatchObject({ ...noted, object: String(personId) });
    expect((await catalog.audit.list(Number(account), { limit: 1 }))[0]).toMatchObject(noted);
    await catalog.close();
  });

  test('labels', async () => {
    const of = ['--account', await newAccount()];
    const { labelId } = await ask('label', 'create', ...of, '--name', 'course');
    const label = ['--label', String(labelId)];
    expect(await ask('label', 'change', ...of, ...label, '--name', 'subject')).toEqual({ labelId });
    const declaredAt = expect.any(String);
    const list = [{ labelId, name: 'subject', declaredAt }];
    expect(await ask('label', 'list', ...of)).toEqual({ labelList: list });
    expect(await ask('label', 'delete', ...of, ...label)).toEqual({ labelId });
    expect(await ask('label', 'list', ...of)).toEqual({ labelList: [] });
  });

  test('accounts of a list', async () => {
    const file = join(folder, 'accounts.csv');
    const list = ['Name,time_zone', '"Studio, North",Asia/Seoul', '', 'Studio South,'];
    await writeFile(file, `\ufeff${list.join('\r\n')}\r\n`);
    const create = ['account', 'create', '--csv', file];
    const { accountList } = await ask(...create, '--time-zone', 'Europe/Berlin');
    const [first, second] = accountList;
    expect(accountList).toEqual([
      { accountId: first.accountId, name: 'Studio, North', timeZone: 'Asia/Seoul' },
      { accountId: first.accountId + 1, name: 'Studio South', timeZone: 'Europe/Berlin' },
    ]);
    const listed = await ask('account', 'list');
    expect(listed.accountList.slice(-2)).toMatchObject([first, second]);
    expect(
      (await ask('audit', 'list', '--account', `${second.accountId}`)).auditList,
    ).toMatchObject([{ action: 'ACCOUNT_CREATED', actorName: userInfo().username }]);
    expect((await run(...create)).printed).toBe(
      `Account ${first.accountId + 2}: Studio, North (Asia/Seoul)\n` +
        `Account ${first.accountId + 3}: Studio South (UTC)`,
    );
  });

  test('no account of a list in which one is refused', async () => {
    const file = join(folder, 'wrong-accounts.csv');
    const before = await ask('account', 'list');
    const wrong = async (text: string) => {
      await writeFile(file, text);
      return run('account', 'create', '--csv', file);
    };
    const list = ['name,timeZone', 'Studio,UTC', ',UTC', 'Studio,Seoul', 'Studio', '"Studio,UTC'];
    expect(await wrong(list.join('\n'))).toEqual({
      code: 1,
      printed: '',
      complaints: [
        'line 3: name must be 1 to 200 characters, without control characters',
        'line 4: timeZone must be an IANA time zone such as Asia/Seoul',
        'line 5: has 1 columns where the header has 2',
        'line 6: has a quote that is not closed',
        'playmeter account create: 4 of 5 accounts refused: none was created',
      ].join('\n'),
    });
    expect((await wrong('Studio\n')).complaints).toContain(
      'The header in line 1 names "Studio", which is not known; known are name, timeZone',
    );
    expect((await wrong('timeZone\nUTC\n')).complaints).toContain('has no name column');
    const tooMany = await wrong(`name\n${'Studio\n'.repeat(2_001)}`);
    expect(tooMany).toMatchObject({ code: 1, printed: '' });
    expect(tooMany.complaints).toContain('A list has at most 2000 accounts: divide it');
    expect(await ask('account', 'list')).toEqual(before);
  });

  test('account, folder and package, changed', async () => {
    const account = await newAccount();
    const of = ['--account', account];
    const zone = ['--time-zone', 'Europe/Berlin'];
    const changed = { ...settings, accountId: Number(account), timeZone: 'Europe/Berlin' };
    expect(await ask('account', 'change', ...of, ...zone)).toEqual(changed);
    const take = ['account', 'change', ...of, '--unsealed-sessions'];
    expect(await ask(...take, 'take')).toMatchObject({ takesUnsealed: true });
    expect(await ask(...take, 'refuse')).toMatchObject({ takesUnsealed: false });
    const sums = ['account', 'change', ...of, '--sums'];
    expect(await ask(...sums, 'erase')).toMatchObject({ keepsSums: false });
    expect(await ask(...sums, 'keep')).toMatchObject({ keepsSums: true });
    expect(await run(...sums, 'maybe')).toMatchObject({ code: 2 });
    const daily = ['account', 'change', '--account', '1', '--viewers', 'daily'];
    expect(await ask(...daily)).toMatchObject({ viewers: 'daily' });
    expect(await run(...take, 'maybe')).toMatchObject({ code: 2 });
    const { folderId } = await ask('folder', 'create', ...of, '--name', 'Films');
    const folder = ['--folder', String(folderId)];
    await ask('folder', 'change', ...of, ...folder, '--name', 'Series');
    const { folderList } = await ask('folder', 'list', ...of);
    expect(folderList).toEqual([{ id: folderId, folderName: 'Series' }]);

    const { packageId } = await ask('package', 'create', ...of, '--name', 'Site');
    const change = ['package', 'change', ...of, '--package', String(packageId)];
    const origins = ['--allowed-origins', 'https://a.example, http://localhost:3000'];
    const app = await ask(...change, '--name', 'App', '--type', 'LIVE', ...origins);
    const allowedOrigins = ['https://a.example', 'http://localhost:3000'];
    const after = { packageName: 'App', packageType: 'LIVE', allowedOrigins, signing: 'open' };
    expect(app).toEqual({ packageId, ...after });
    expect(await ask(...change, '--signing', 'prefer')).toMatchObject({ signing: 'prefer' });
    expect(await run(...change, '--signing', 'maybe')).toMatchObject({ code: 2 });
    expect(await ask(...change, '--allowed-origins', '')).toMatchObject({ allowedOrigins: [] });
    const refused = await run(...change, '--allowed-origins', 'a.example');
    expect(refused).toMatchObject({
      code: 2,
      complaints: expect.stringContaining('--allowed-origins must be an origin'),
    });
  });

  test('signing keys', async () => {
    const of = ['--account', await newAccount()];
    const made = await ask('signing', 'create', ...of);
    expect(made.secret).toMatch(/^pms_[\w-]{43}$/);
    const one = [...of, '--signing-key', String(made.signingKeyId)];
    const next = await ask('signing', 'rotate', ...one, '--overlap-hours', '2');
    expect(next.secret).not.toBe(made.secret);
    const { signingKeyList } = await ask('signing', 'list', ...of);
    expect(signingKeyList).toMatchObject([{ expiresAt: expect.any(String) }, { expiresAt: null }]);
    await ask('signing', 'delete', ...one);
    expect(await run('signing', 'delete', ...one)).toMatchObject({ code: 1 });
    const file = join(folder, 'public.pem');
    const { publicKey } = generateKeyPairSync('ed25519');
    await writeFile(file, publicKey.export({ format: 'pem', type: 'spki' }));
    await ask('signing', 'create', ...of, '--public-key', file);
    const { printed } = await run('signing', 'list', ...of);
    expect(printed).toMatch(/\tHS256\n\d+\tEdDSA$/);
    const missing = await run('signing', 'create', ...of, '--public-key', `${file}x`);
    expect(missing).toMatchObject({ code: 1 });

    const catalog = await openHere();
    const material = createSigningSealer('another secret of the service').seal(made.secret);
    const key = { accountId: Number(of[1]), algorithm: 'HS256', material } as const;
    expect(await catalog.signingKeys.add(key)).toMatchObject({ ok: true });
    await catalog.close();
    const listed = await run('signing', 'list', ...of);
    expect(listed.printed).toMatch(/\tHS256\t\tunreadable: .*signing rotate$/);
  });

  test('alerts, and the messages that they made', async () => {
    const account = await newAccount();
    const of = ['--account', account];
    const terms = ['--kind', 'drop', '--measure', 'plays', '--percent', '50', '--at-least', '2.5'];
    const made = await ask('alert', 'create', ...of, '--name', 'Fewer', ...terms, '--url', hook);
    expect(made.secret).toMatch(/^whsec_/);
    const { alertId } = made;
    expect(await ask('alert', 'list', ...of)).toMatchObject({
      alertList: [
        {
          ...{
            alertId,
            name: 'Fewer',
            kind: 'drop',
            percent: 50,
            weeks: 4,
            atLeast: 2.5,
            url: hook,
          },
          ...{ per: 'day', minutes: null, isFiring: false, createdBy: 'COMMAND_LINE' },
        },
      ],
    });
    const catalog = await openHere();
    const [rule = expect.fail('it was made')] = await catalog.rules.list(Number(account), 'alert');
    const message = { type: 'alert.firing', body: '{}' } as const;
    await catalog.rules.conclude(rule, { judgedThrough: new Date(), isFiring: true, message });
    await catalog.close();
    const { deliveryList } = await ask('delivery', 'list', ...of);
    expect(deliveryList).toMatchObject([{ alertId, receiver: hook, state: 'waiting' }]);
    const { deliveryId, messageId } = deliveryList[0];
    const replay = ['delivery', 'replay', ...of, '--delivery', String(deliveryId)];
    expect(await ask(...replay)).toEqual({ deliveryId, messageId });
    expect(await ask('alert', 'delete', ...of, '--alert', String(alertId))).toEqual({ alertId });
    expect(await ask('alert', 'list', ...of)).toEqual({ alertList: [] });
  });

  test.each<[string, string, string[], string[] | undefined, object]>([
    [
      ...(['report', 'delete'] as const),
      [
        ...['--name', 'M', '--every', 'month', '--measures', 'plays,viewers'],
        ...['--dimension', 'video', '--top', '5', '--hour', '0', '--url', hook],
      ],
      undefined,
      { every: 'month', measures: 'plays,viewers', top: 5, hour: 0 },
    ],
    [
      ...(['share', 'revoke'] as const),
      [
        ...['--name', 'Korea', '--filter', 'country==KR', '--last-days', '28'],
        ...['--expires', '2099-12-31', '--embed', 'https://A.example, https://b.example:8443'],
      ],
      undefined,
      {
        ...{ name: 'Korea', filters: 'country==KR', lastDays: 28, accessKey: null },
        ...{ origins: ['https://a.example', 'https://b.example:8443'] },
        ...{ expiresAt: '2099-12-31T23:59:59.999Z', createdBy: 'COMMAND_LINE' },
      },
    ],
    [
      ...(['annotation', 'delete'] as const),
      ['--text', 'Newsletter', '--at', '2026-11-20', '--until', '2026-11-21T08:00:00Z'],
      ['--kind', 'campaign', '--text', 'Second newsletter'],
      {
        ...{ kind: 'campaign', text: 'Second newsletter', packageId: null, accessKey: null },
        ...{ at: '2026-11-20T00:00:00.000Z', until: '2026-11-21T08:00:00.000Z' },
        createdBy: 'COMMAND_LINE',
      },
    ],
    [
      ...(['view', 'delete'] as const),
      ['--name', 'Korea', '--page', '/quality', '--query', 'period=90d&filters=country%3D%3DKR'],
      ['--name', 'Seoul', '--page', '/'],
      { name: 'Seoul', page: '/', query: 'period=90d&filters=country%3D%3DKR', shared: true },
    ],
  ])('%s: made, listed, and gone after %s', async (kind, end, made, changes, listed) => {
    const of = ['--account', await newAccount()];
    const { [`${kind}Id`]: id, link } = await ask(kind, 'create', ...of, ...made);
    if (kind === 'share') expect(link).toMatch(/^http:\/\/localhost\/shared\/[\w-]{8}#[\w-]{43}$/);
    const name = [...of, `--${kind}`, String(id)];
    if (changes) await ask(kind, 'change', ...name, ...changes);
    const list = { [`${kind}List`]: [{ [`${kind}Id`]: id, ...listed }] };
    expect(await ask(kind, 'list', ...of)).toMatchObject(list);
    expect(await ask(kind, end, ...name)).toEqual({ [`${kind}Id`]: id });
    expect(await ask(kind, 'list', ...of)).toEqual({ [`${kind}List`]: [] });
  });

  test.each([
    ['alert create --kind silence --minutes 1', ['--url', hook], '--minutes'],
    [
      'alert create --kind silence --minutes 30',
      ['--mail-to', 'a@example.com'],
      '--mail-to must be empty',
    ],
    ['share create --last-days 28', ['--filter', 'nothing'], '--filter has a'],
    ['share create', [], '--last-days must be given'],
    ['view create --page //elsewhere.example', [], '--page'],
  ])('%s %j names the option that is wrong', async (verb, more, complaint) => {
    const of = ['--account', await newAccount(), '--name', 'Wrong'];
    const { code, complaints } = await run(...verb.split(' '), ...of, ...more);
    expect([code, complaints]).toEqual([2, expect.stringContaining(complaint)]);
  });

  test('a video paused in a package and served again', async () => {
    const account = await newAccount();
    const of = ['--account', account];
    const { folderId } = await ask('folder', 'create', ...of, '--name', 'Films');
    const film = ['--folder', String(folderId), '--title', 'Film'];
    const { accessKey } = await ask('video', 'add', ...of, ...film);
    const { packageId } = await ask('package', 'create', ...of, '--name', 'Site');
    const name = [...of, '--package', String(packageId), '--access-key', accessKey];
    const { videoKey } = await ask('package', 'add', ...name);
    const able = async () => {
      const catalog = await openHere();
      const found = { accountId: Number(account), packageId, accessKey };
      const publication = await catalog.publications.find(found);
      await catalog.close();
      return publication?.serviceAble;
    };
    expect(await ask('package', 'pause', ...name)).toEqual({ videoKey, serviceAble: 'N' });
    expect(await able()).toBe('N');
    expect(await ask('package', 'resume', ...name)).toEqual({ videoKey, serviceAble: 'Y' });
    expect(await able()).toBe('Y');
  });

  test.each(['account change', 'package change --package 1'])(
    '%s without a change',
    async (verb) => {
      const { code } = await run(...verb.split(' '), '--account', await newAccount());
      expect(code).toBe(2);
    },
  );

  test('key', async () => {
    const account = await newAccount();
    const scopes = ['--scopes', 'stats:read,manage'];
    const { key, ...rest } = await ask('key', 'create', '--account', account, ...scopes);
    expect(rest).toEqual({});
    const [listed] = (await ask('key', 'list', '--account', account)).keyList;
    expect(listed).toMatchObject({ prefix: key.slice(0, 11), scopes: ['stats:read', 'manage'] });
    const name = ['--account', account, '--key', String(listed.keyId)];
    await ask('key', 'change', ...name, '--name', 'Site');
    const rotated = await ask('key', 'rotate', ...name, '--overlap-hours', '0.5');
    expect(rotated).toEqual({ key: expect.stringMatching(/^pm_/) });
    expect(await ask('key', 'revoke', ...name)).toEqual({ keyId: listed.keyId });
    const catalog = await openHere();
    expect(await catalog.keys.authenticate(key)).toBeUndefined();
    expect(await catalog.keys.authenticate(rotated.key)).toMatchObject({ keyName: 'Site' });
    await catalog.close();
  });

  test('audit list', async () => {
    const account = await newAccount();
    const of = ['--account', account];
    await ask('key', 'create', ...of, '--name', 'Site', '--scopes', 'manage');
    const { keyList } = await ask('key', 'list', ...of);
    expect(keyList).toMatchObject([{ name: 'Site' }]);
    const { auditList } = await ask('audit', 'list', ...of);
    const by = { actor: 'COMMAND_LINE', actorName: userInfo().username, address: null };
    expect(auditList).toMatchObject([
      { ...by, action: 'KEY_CREATED', object: String(keyList[0].keyId), before: null },
      { ...by, action: 'ACCOUNT_CREATED', object: account },
    ]);
    const { printed } = await run('audit', 'list', ...of, '--limit', '1');
    expect(printed).toMatch(/^\S+Z\tCOMMAND_LINE \S+\tKEY_CREATED\t\d+\t- -> \{"name":"Site"/);
    const [{ at }] = auditList;
    const day = at.slice(0, 10);
    for (const [period, entries] of [
      [['--from', day, '--to', day], 2],
      [['--to', '2020-01-01'], 0],
      [['--from', at, '--to', at], 0],
      [['--action', 'KEY_CREATED'], 1],
      [['--actor', 'COMMAND_LINE', '--limit', '1'], 1],
      [['--actor', 'COMMAND_LINE'], 2],
      [['--actor', `KEY:${keyList[0].keyId}`], 0],
      [['--action', 'KEY_CREATED', '--actor', 'SERVICE'], 0],
    ] as const) {
      const listed = await ask('audit', 'list', ...of, ...period);
      expect(listed.auditList).toHaveLength(entries);
    }
    for (const wrong of [
      ['--from', 'today'],
      ['--limit', '0'],
      ['--limit', '100001'],
      ['--action', 'NOTHING'],
      ['--actor', 'somebody'],
    ]) {
      expect((await run('audit', 'list', ...of, ...wrong)).code).toBe(2);
    }
  });

  test('a key that expires on a day works to the end of it', async () => {
    const account = await newAccount();
    const options = ['--scopes', 'manage', '--expires', '2099-12-31'];
    await ask('key', 'create', '--account', account, ...options);
    const [listed] = (await ask('key', 'list', '--account', account)).keyList;
    expect(listed.expiresAt).toBe('2099-12-31T23:59:59.999Z');
  });

  test('folder, video with every field, package', async () => {
    const account = await newAccount();
    const { folderId } = await ask('folder', 'create', '--account', account, '--name', 'Films');
    const { folderList } = await ask('folder', 'list', '--account', account);
    expect(folderList).toEqual([{ id: folderId, folderName: 'Films' }]);

    const same = {
      ...{ title: '첫 영화 "100%"', cid: 'c-1', content: 'two\nlines', tag: 'a,b', series: 'S' },
      ...{ author: 'A', copyright: '(c)', rate: '12', etc: 'E' },
    };
    const thumbnailUrl = 'https://cdn.example/1.jpg';
    const fields = {
      ...{ ...same, 'access-key': 'film-1', duration: '9007199254740991' },
      ...{ cdate: '2026-11-20T10:15:30.123+09:00', fileSize: '123456789012', vHeight: '1080' },
      ...{ 'v-width': '1920', vFramerate: '29.97', encoding_success: 'Y' },
      'thumbnail-url': thumbnailUrl,
    };
    const options = Object.entries(fields).flatMap(([name, value]) => [`--${name}`, value]);
    const place = ['--account', account, '--folder', String(folderId)];
    const added = await ask('video', 'add', ...place, ...options);
    expect(added).toEqual({ videoId: expect.any(Number), accessKey: 'film-1' });
    const catalog = await openHere();
    expect(await catalog.videos.find(Number(account), 'film-1')).toEqual({
      ...{ ...same, ...added, accountId: Number(account), folderId, thumbnailUrl },
      ...{ durationMs: Number.MAX_SAFE_INTEGER, fileSizeBytes: 123_456_789_012 },
      ...{ height: 1080, width: 1920, frameRate: 29.97, encodingSuccess: 'Y' },
      createdAt: new Date('2026-11-20T01:15:30.123Z'),
    });
    await catalog.close();

    const { packageId } = await ask('package', 'create', '--account', account, '--name', 'Web');
    const { packageList } = await ask('package', 'list', '--account', account);
    expect(packageList).toEqual([{ packageId, packageName: 'Web', packageType: 'VOD' }]);
    const name = ['--account', account, '--package', String(packageId)];
    const { videoKey, ...rest } = await ask('package', 'add', ...name, '--access-key', 'film-1');
    expect(rest).toEqual({});
    expect(videoKey).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });

  test('many videos are put into a package: a folder, several keys, or a list', async () => {
    const account = await newAccount();
    const where = ['--account', account];
    const { folderId } = await ask('folder', 'create', ...where, '--name', 'Films');
    for (const key of ['one', 'two,"2"', 'three']) {
      const place = ['--folder', `${folderId}`, '--title', 'Film', '--access-key', key];
      await ask('video', 'add', ...where, ...place);
    }
    const { packageId } = await ask('package', 'create', ...where, '--name', 'Web');
    const add = ['package', 'add', ...where, '--package', `${packageId}`];
    const whole = await run(...add, '--folder', `${folderId}`);
    const form = /^accessKey,videoKey\none,(\S{22})\n"two,""2""",(\S{22})\nthree,(\S{22})$/;
    expect(whole).toMatchObject({ code: 0, printed: expect.stringMatching(form) });
    const [, one, , three] = form.exec(whole.printed) ?? [];
    const several = ['--access-key', 'three', '--access-key', 'nobody', '--access-key', 'one'];
    const some = await run(...add, ...several, '--json');
    expect(some).toMatchObject({ code: 1, complaints: 'nobody: There is no such video' });
    expect(some.printed.split('\n').map((row) => JSON.parse(row))).toEqual([
      { accessKey: 'three', videoKey: three },
      { accessKey: 'one', videoKey: one },
    ]);
    const list = join(folder, 'keys.txt');
    await writeFile(list, 'one\r\n\nthree');
    expect(await run(...add, '--keys', list)).toMatchObject({
      code: 0,
      printed: `accessKey,videoKey\none,${one}\nthree,${three}`,
    });
    expect(await run(...add)).toMatchObject({ code: 2 });
    expect(await run(...add, '--keys', list, '--access-key', 'one')).toMatchObject({ code: 2 });
    const nowhere = ['package', 'add', ...where, '--package', '987654', '--keys', list];
    expect(await run(...nowhere)).toMatchObject({
      code: 1,
      complaints: 'one: There is no such package',
    });
  });

  test('a key that would expire in the past is refused', async () => {
    const where = ['--account', await newAccount(), '--scopes', 'stats:read'];
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const past = await run('key', 'create', ...where, '--expires', at(-1_000));
    expect(past).toMatchObject({ code: 2 });
    expect(past.complaints).toContain('--expires must be in the future');
    expect(await run('key', 'create', ...where, '--expires', at(600_000))).toMatchObject({
      code: 0,
    });
  });

  test('a video is changed, taken out of its package, and deleted; so are package and folder', async () => {
    const account = await newAccount();
    const where = ['--account', account];
    const { folderId: from } = await ask('folder', 'create', ...where, '--name', 'Old');
    const { folderId: to } = await ask('folder', 'create', ...where, '--name', 'New');
    const place = [...where, '--folder', `${from}`, '--title', 'Film', '--cid', 'c', '--tag', 't'];
    const { videoId, accessKey } = await ask('video', 'add', ...place);
    const { packageId } = await ask('package', 'create', ...where, '--name', 'Web');
    const video = [...where, '--access-key', accessKey];
    await ask('package', 'add', ...video, '--package', `${packageId}`);
    const changes = ['--folder', `${to}`, '--duration', '7', '--cid', '', '--tag', ''];
    expect(await ask('video', 'change', ...video, ...changes)).toEqual({ videoId, accessKey });
    const catalog = await openHere();
    const changed = { folderId: to, title: 'Film', durationMs: 7, cid: null, tag: '' };
    expect(await catalog.videos.find(Number(account), accessKey)).toMatchObject(changed);
    expect(await run('video', 'change', ...video)).toMatchObject({ code: 2 });

    await ask('package', 'remove', ...video, '--package', `${packageId}`);
    const name = { accountId: Number(account), packageId, accessKey };
    expect(await catalog.publications.find(name)).toBeUndefined();
    expect(await run('folder', 'delete', ...where, '--folder', `${to}`)).toMatchObject({
      code: 1,
      complaints: 'playmeter folder delete: The folder still contains videos',
    });
    await ask('video', 'delete', ...video);
    expect(await catalog.videos.find(Number(account), accessKey)).toBeUndefined();
    await ask('package', 'delete', ...where, '--package', `${packageId}`);
    await ask('folder', 'delete', ...where, '--folder', `${to}`);
    expect((await ask('package', 'list', ...where)).packageList).toEqual([]);
    expect((await ask('folder', 'list', ...where)).folderList).toMatchObject([{ id: from }]);
    await catalog.close();
  });

  test('the videos of a folder and of a package, searched, sorted, page by page', async () => {
    const of = ['--account', await newAccount()];
    const { folderId } = await ask('folder', 'create', ...of, '--name', 'Films');
    const { packageId } = await ask('package', 'create', ...of, '--name', 'Web');
    const [folder, site] = [
      ['--folder', `${folderId}`],
      ['--package', `${packageId}`],
    ];
    for (const name of ['a', 'b', 'c']) {
      const said = ['--title', `Film ${name}`, '--access-key', name, '--author', name.repeat(3)];
      await ask('video', 'add', ...of, ...folder, ...said);
    }
    const { videoKey } = await ask('package', 'add', ...of, ...site, '--access-key', 'b');

    const second = ['--sort-item', 'title', '--sort-direction', 'asc', '--page-size=2', '--page=2'];
    const { videoInfoList } = await ask('video', 'list', ...of, ...folder, ...second);
    expect(videoInfoList).toMatchObject({
      folderVideoList: [{ accessKey: 'c', title: 'Film c', author: 'ccc' }],
      paging: { page: 2, pageSize: 2, totalCount: 3, totalPage: 2 },
    });
    const found = ['--search-item', 'author', '--keyword', 'BB'];
    const { printed } = await run('video', 'list', ...of, ...site, ...found);
    expect(printed).toMatch(new RegExp(`^\\d+\tb\t${videoKey}\tFilm b\n1 video, page 1 of 1$`));
    const latest = await run('video', 'list', ...of, ...folder);
    expect(latest.printed).toMatch(/\tc\tFilm c\n.*\tb\tFilm b\n.*\ta\tFilm a\n3 videos/);
    const nowhere = await run('video', 'list', ...of, '--folder', '999999');
    expect(nowhere).toMatchObject({ code: 1, printed: '' });
  });

  test('all that is said of a video', async () => {
    const of = ['--account', await newAccount()];
    const { folderId } = await ask('folder', 'create', ...of, '--name', 'Films');
    const said = [
      '--title',
      'Film',
      '--tag',
      'a,b',
      '--thumbnail-url',
      'https://cdn.example/1.jpg',
    ];
    const { accessKey } = await ask('video', 'add', ...of, '--folder', `${folderId}`, ...said);
    const name = [...of, '--access-key', accessKey];
    const thumbnailUrl = 'https://cdn.example/1.jpg';
    expect(await ask('video', 'show', ...name)).toMatchObject({
      ...{ accessKey, folderId, title: 'Film', tag: 'a,b', cid: null, thumbnailUrl },
      thumbnails: [{ seq: 0, selected: true, url: thumbnailUrl, playtime: 0 }],
    });
    const { printed } = await run('video', 'show', ...name);
    expect(printed.split('\n')).toEqual(
      expect.arrayContaining(['title\tFilm', 'cid\t', `thumbnail 0\t${thumbnailUrl}`]),
    );
    expect(await run('video', 'show', ...of, '--access-key', 'none')).toMatchObject({
      code: 1,
      complaints: 'playmeter video show: There is no such video',
    });
  });

  test('version', async () => {
    expect(await ask('version')).toEqual({ version: '1.2.3' });
    expect(await run('version')).toMatchObject({ code: 0, printed: '1.2.3' });
    expect(await run('--version')).toMatchObject({ code: 0, printed: '1.2.3' });
  });
});

describe('wrong usage names the option and ends with 2', () => {
  const key = 'key create --account 1 --scopes';
  const video = 'video add --account 1 --folder 1 --title T';
  const list = 'video list --account 1';
  test.each([
    ['account create', 'give --name or --csv'],
    ['account create --name A --csv -', 'give --name or --csv'],
    ['account create --name', '--name'],
    ['account create --name=', '--name must be 1 to 200 characters'],
    ['account create --name A --colour red', '--colour'],
    ['account create --name A B', '"B"'],
    ['account create --name A --time-zone X', '--time-zone'],
    ['account list --json=yes', '--json'],
    ['key list --account 0', '--account'],
    ['key list --account 1e3', '--account'],
    [`${key} all`, '--scopes'],
    [`${key} manage --expires 2026-02-30`, '--expires'],
    ['key rotate --account 1 --key 1 --overlap-hours -1', '--overlap-hours'],
    ['folder create --account 1 --name=\n', '--name'],
    [`${video} --cid ${'é'.repeat(65)}`, '--cid'],
    [`${video} --v-width 1.5`, '--v-width'],
    [list, '--folder is required'],
    [
      `${list} --folder 1 --sort-item age`,
      '--sort-item must be one of id, title, duration, filesize',
    ],
    [`${list} --package 0 --page-size 1001`, '--page-size must be a whole number from 1 to 1000'],
    [
      'serve --role sum',
      '--role must be one of collect, report, roll-up, all, not "sum"\nSee: playmeter serve --help',
    ],
    ['video delete', 'video delete'],
    ['nonsense', 'Unknown verb: nonsense\n'],
    ['nonsense more', 'Unknown verb: nonsense\n'],
    ['--nonsense', 'Unknown verb: --nonsense\n'],
    ['key open --account 1', 'Unknown verb: key open\n'],
    ['key', 'key needs a second word:\n'],
    ['key --json', 'key needs a second word:\n'],
    ['', 'account create'],
  ])('%j', async (typed, complaint) => {
    const { code, printed, complaints } = await run(...typed.split(' ').filter(Boolean));
    expect({ code, printed }).toEqual({ code: 2, printed: '' });
    expect(complaints).toContain(complaint);
  });
});

test('what cannot be done ends with 1 and says why', async () => {
  const argv = ['folder', 'create', '--account', '999999', '--name', 'Films'];
  const { code, complaints } = await run(...argv);
  expect(code).toBe(1);
  expect(complaints).toContain('There is no such account');
});

test('a title that would act on the terminal is shown instead', async () => {
  const account = await newAccount();
  const { folderId } = await ask('folder', 'create', '--account', account, '--name', 'Films');
  const of = ['--account', account, '--folder', String(folderId)];
  const title = 'Film\u009b2J \u202egpj';
  await ask('video', 'add', ...of, '--title', title);
  expect((await run('video', 'list', ...of)).printed).toContain('\tFilm\\u009b2J \\u202egpj\n');
  const { videoInfoList } = await ask('video', 'list', ...of);
  expect(videoInfoList.folderVideoList).toMatchObject([{ title }]);
});

test.each(verbs)('$words has its help', async ({ words, options, summary }) => {
  const { code, printed } = await run(...words.split(' '), '--help');
  expect(code).toBe(0);
  expect(printed).toContain(summary);
  // The one runs, the other prints nothing else.
  expect('json' in options).toBe(!['serve', 'openapi'].includes(words));
  for (const [name, option] of Object.entries(options)) {
    expect(printed).toContain(option.type === 'positional' ? name.toUpperCase() : `--${name}`);
  }
});

test('help of all and of a group lists the verbs', async () => {
  const all = await run('--help');
  for (const { words } of verbs) expect(all.printed).toContain(words);
  const ofKeys = verbs.filter(({ words }) => words.startsWith('key '));
  const listed = (text: string) => verbs.filter(({ words }) => text.includes(`  ${words} `));
  expect(listed(all.printed)).toEqual(verbs);
  expect(listed((await run('key', '--help')).printed)).toEqual(ofKeys);
  expect(listed((await run('help', 'key')).printed)).toEqual(ofKeys);
  expect(listed((await run('key')).complaints)).toEqual(ofKeys);
});

test('the help of a verb', async () => {
  const { printed } = await run('account', 'create', '-h');
  expect(printed.split('\n')).toEqual([
    'Create an account, or all those of a list',
    '',
    'Usage: playmeter account create [OPTIONS]',
    '',
    '  --name NAME       Name of the account',
    '  --csv FILE        Create those of this CSV list with a header (name, timeZone), or - for standard input',
    '  --time-zone ZONE  IANA time zone for its dates and hours; with a list, for rows that name none (default: UTC)',
    '  --json            Print JSON instead of text',
  ]);
  expect((await run('version', '--help')).printed).toContain('Usage: playmeter version');
});

test.each([
  ['Film 1\tfirst\nsecond', 'Film 1\tfirst\nsecond'],
  ['영화 🎬 é İ', '영화 🎬 é İ'],
  // Joiners and marks that words of some languages need.
  ['می‌خواهم \u200f!', 'می‌خواهم \u200f!'],
  ['\u001b[2J', '\\u001b[2J'],
  ['\u009b2J', '\\u009b2J'],
  ['100 %\rgone', '100 %\\u000dgone'],
  ['a line of CSV\r', 'a line of CSV\r'],
  ['CSV\r\nmore', 'CSV\r\nmore'],
  ['\r\r', '\\u000d\r'],
  ['\u007f\u0000\u0085', '\\u007f\\u0000\\u0085'],
  ['\u202egpj.exe', '\\u202egpj.exe'],
  ['\u2066a\u2069', '\\u2066a\\u2069'],
])('%j is shown as %j', (text, shown) => {
  expect(terminalText(text)).toBe(shown);
});

test('JSON stays the same JSON', () => {
  const anyText = fc.string({ unit: anyCharacter });
  fc.assert(
    fc.property(anyText, (text) => {
      expect(JSON.parse(terminalText(JSON.stringify(text)))).toBe(text);
    }),
  );
});
