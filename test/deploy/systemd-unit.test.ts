/** deploy/systemd/: what it names exists. README.md there says how the unit was run. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { configSections, readConfig } from '../../src/config/config.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, 'deploy/systemd', file), 'utf8');

const switched = /^(yes|no)$/;
const nothing = /^$/;
const path = /^\/\S+$/;
const seconds = /^\d+$/;
const mode = /^0[0-7]{3}$/;
const unitName = /^[a-z-]+\.(service|target)$/;
const folderName = /^[a-z]+$/;

/**
 * The directives that may stand here, with the values that are meant: systemd.unit(5),
 * systemd.service(5), systemd.exec(5) and systemd.kill(5) of systemd 252. systemd itself only
 * warns about others, in its log, and goes on without the protection.
 */
const directives: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  Unit: {
    Description: /^\S.*\S$/,
    Documentation: /^https?:\/\/\S+$/,
    Wants: unitName,
    After: unitName,
  },
  Service: {
    Type: /^exec$/,
    User: folderName,
    Group: folderName,
    EnvironmentFile: path,
    Environment: /^[A-Z_]+=\S+$/,
    ExecStart: /^\/usr\/bin\/node \/\S+\.mjs serve$/,
    Restart: /^(on-failure|always)$/,
    RestartSec: seconds,
    KillMode: /^mixed$/,
    TimeoutStopSec: seconds,
    SuccessExitStatus: /^143$/,
    StateDirectory: folderName,
    StateDirectoryMode: mode,
    CacheDirectory: folderName,
    CacheDirectoryMode: mode,
    UMask: mode,
    ProtectSystem: /^strict$/,
    ProtectHome: switched,
    PrivateTmp: switched,
    PrivateDevices: switched,
    NoNewPrivileges: switched,
    CapabilityBoundingSet: nothing,
    AmbientCapabilities: nothing,
    PrivateUsers: switched,
    RestrictSUIDSGID: switched,
    RestrictNamespaces: switched,
    RestrictRealtime: switched,
    LockPersonality: switched,
    RemoveIPC: switched,
    KeyringMode: /^private$/,
    ProtectKernelTunables: switched,
    ProtectKernelModules: switched,
    ProtectKernelLogs: switched,
    ProtectControlGroups: switched,
    ProtectClock: switched,
    ProtectHostname: switched,
    ProtectProc: /^invisible$/,
    SystemCallArchitectures: /^native$/,
    SystemCallFilter: /^~?@(system-service|privileged)$/,
    SystemCallErrorNumber: /^EPERM$/,
    RestrictAddressFamilies: /^AF_(INET|INET6|UNIX|NETLINK)( AF_(INET|INET6|UNIX|NETLINK))*$/,
  },
  Install: { WantedBy: unitName },
};

interface Line {
  readonly section: string;
  readonly name: string;
  readonly value: string;
}

/** As systemd.syntax(7), without continued lines. */
function linesOf(unit: string): Line[] {
  let section = '';
  return unit.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    const header = /^\[(.+)\]$/.exec(line)?.[1];
    if (header !== undefined) {
      section = header;
      return [];
    }
    const [, name = '', value = ''] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    return [{ section, name, value }];
  });
}

const lines = linesOf(read('playmeter.service'));
const given = (name: string) => lines.find((line) => line.name === name)?.value;

test('every directive is one of its section, with a value that systemd knows', () => {
  const unknown = lines.filter(
    ({ section, name, value }) => directives[section]?.[name]?.test(value) !== true,
  );
  expect(unknown).toEqual([]);
});

test('every directive that protects is there', () => {
  const named = new Set(lines.map(({ section, name }) => `${section} ${name}`));
  const all = Object.entries(directives).flatMap(([section, names]) =>
    Object.keys(names).map((name) => `${section} ${name}`),
  );
  expect(all.filter((name) => !named.has(name))).toEqual([]);
  expect(lines.filter(({ value }) => value === 'no')).toEqual([]);
});

test('the settings exist, and point into the folders that systemd makes', () => {
  const settings = Object.fromEntries(
    read('playmeter.env')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('=') as [string, string]),
  );
  const known = Object.values(configSections).flatMap((section) => Object.keys(section));
  expect(Object.keys(settings).filter((name) => !known.includes(name))).toEqual([]);
  expect(readConfig(settings).DATA_DIR).toBe(`/var/lib/${given('StateDirectory')}`);
  expect(given('Environment')).toBe(`NODE_COMPILE_CACHE=/var/cache/${given('CacheDirectory')}`);
});

test('the verbs keep the folder and the variables of whoever types them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-verbs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'systemd-run'), '#!/bin/sh\nfor word; do echo "$word"; done\n', {
    mode: 0o755,
  });
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    HOME: '/root',
    AWS_REGION: 'x',
    LINES: 'a b',
  };
  const verbs = join(root, 'deploy/systemd/playmeter');
  const words = execFileSync(verbs, ['export', '--facts', 'two words'], {
    ...{ cwd: folder, env, encoding: 'utf8' },
  }).split('\n');
  const program = words.indexOf('/opt/playmeter/node_modules/.bin/playmeter');
  expect(words.slice(program + 1)).toEqual(['export', '--facts', 'two words', '']);
  const options = words.slice(0, program);
  expect(options).toContain(`--property=WorkingDirectory=-${folder}`);
  const passed = options.filter((word) => word.startsWith('--setenv='));
  expect(passed.sort()).toEqual(['--setenv=AWS_REGION', '--setenv=LINES']);
});

test('unit, verbs and installation agree on programs, user and settings', () => {
  const package_ = '/opt/playmeter/node_modules/playmeter';
  expect(given('ExecStart')).toBe(`/usr/bin/node ${package_}/${packageJson.bin.playmeter} serve`);
  const verbs = read('playmeter');
  expect(verbs).toContain(' /opt/playmeter/node_modules/.bin/playmeter "$@"');
  expect(verbs).toContain(` --uid=${given('User')} `);
  expect(verbs).toContain(`=EnvironmentFile=${given('EnvironmentFile')} "$@"`);
  expect(statSync(join(root, 'deploy/systemd/playmeter')).mode & 0o111).toBe(0o111);
  const guide = readFileSync(join(root, 'deploy/README.md'), 'utf8');
  expect(guide).toContain(
    `useradd --system --home-dir /var/lib/playmeter --shell /usr/sbin/nologin`,
  );
  expect(guide).toContain(`-g ${given('Group')} playmeter.env ${given('EnvironmentFile')}\n`);
});
