/** Every operation that changes something notes what it says it notes, as a key performs it. */
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCatalogAlone } from '../../test/support/catalog-alone.ts';
import { addLibrary } from '../../test/support/catalogs.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createRuleReader } from '../alerts/rule-parser.ts';
import type { Catalog, SignedPerson } from '../catalog/catalog.ts';
import { createSuspects } from '../collect/abuse/quarantine.ts';
import { createImportCsv } from '../import/csv-import.ts';
import { assert } from '../lib/assert.ts';
import { createProcessLimiters } from '../lib/limits/limiter.ts';
import { createPasswords } from '../lib/password-hash.ts';
import { createEraser } from '../maintenance/erase/eraser.ts';
import { type AuditAction, auditActions } from '../vocabulary/audit-actions.ts';
import { scopes as knownScopes } from '../vocabulary/scopes.ts';
import { messageFault } from '../wire/message-check.ts';
import {
  Created,
  defineOperation,
  type Members,
  type OperationServices,
  type RunningService,
} from './operation.ts';
import { operations } from './operations.ts';
import { createProofs } from './people/proofs.ts';
import { accepted } from './refusal-faults.ts';
import { createSigningSealer } from './signing-keys.ts';

/** Stands for the code that the app shows now. */
const shown = 'what the app shows';

const hook = { url: 'https://hooks.example.com/a' };
/** Of the library that is there before. */
const folder = { folderId: 1 };
const film = { ...folder, title: 'Film' };

/** What is noted, and the body or query of the call; in an order in which each can be performed. */
const changes: readonly (readonly [operationId: string, AuditAction, Members?])[] = [
  ['changeAccount', 'ACCOUNT_CHANGED', { name: 'Other' }],
  ['changeOwnPerson', 'PERSON_CHANGED', { name: 'Minji' }],
  ['changeOwnPassword', 'PASSWORD_CHANGED', { password: 'three river stones' }],
  [
    'changeOwnEmail',
    'EMAIL_CHANGE_STARTED',
    { email: 'new@example.com', password: 'three river stones' },
  ],
  ['startSecondFactor', 'SECOND_FACTOR_STARTED', { password: 'three river stones' }],
  ['confirmSecondFactor', 'SECOND_FACTOR_ADDED', { code: shown }],
  ['removeSecondFactor', 'SECOND_FACTOR_REMOVED', { password: 'three river stones', code: shown }],
  ['invite', 'INVITATION_CREATED', { email: 'lee@example.com', role: 'analyst' }],
  ['revokeInvitation', 'INVITATION_REVOKED'],
  ['changeMember', 'MEMBER_CHANGED', { role: 'manager' }],
  ['sendReset', 'RESET_SENT'],
  ['createReset', 'RESET_SHOWN'],
  ['createEmailLink', 'EMAIL_CHANGE_STARTED', { email: 'new@example.com' }],
  ['endOwnSession', 'SIGNED_OUT'],
  ['removeMember', 'MEMBER_REMOVED'],
  ['addAccount', 'MEMBER_ADDED', { name: 'Another', timeZone: 'UTC' }],
  ['addAccount', 'ACCOUNT_CREATED', { name: 'Another', timeZone: 'UTC' }],
  ['closeAccount', 'ACCOUNT_CLOSED', { name: 'Another' }],
  ['reopenAccount', 'ACCOUNT_REOPENED'],
  ['addKey', 'KEY_CREATED', { scopes: ['manage'] }],
  ['changeKey', 'KEY_CHANGED', { name: 'Site' }],
  ['rotateKey', 'KEY_ROTATED'],
  ['revokeKey', 'KEY_REVOKED'],
  ['addSigningKey', 'SIGNING_KEY_ADDED'],
  ['rotateSigningKey', 'SIGNING_KEY_ROTATED'],
  ['deleteSigningKey', 'SIGNING_KEY_DELETED'],
  ['addLabel', 'LABEL_CREATED', { name: 'course' }],
  ['putLabel', 'LABEL_CHANGED', { name: 'subject' }],
  ['deleteLabel', 'LABEL_DELETED'],
  ['addShare', 'SHARE_CREATED', { name: 'Last week', lastDays: 7 }],
  ['revokeShare', 'SHARE_REVOKED'],
  ['addAnnotation', 'ANNOTATION_CREATED', { text: 'Newsletter', at: '2026-11-20T08:00:00Z' }],
  ['changeAnnotation', 'ANNOTATION_CHANGED', { kind: 'campaign' }],
  ['deleteAnnotation', 'ANNOTATION_DELETED'],
  ['addSavedView', 'VIEW_CREATED', { name: 'Phones', page: '/' }],
  ['changeSavedView', 'VIEW_CHANGED', { name: 'Mobiles' }],
  ['deleteSavedView', 'VIEW_DELETED'],
  ['addAlert', 'ALERT_CREATED', { name: 'Quiet', kind: 'silence', minutes: 30, ...hook }],
  ['replayDelivery', 'DELIVERY_REPLAYED'],
  ['changeAlert', 'ALERT_CHANGED', { isPaused: true }],
  ['testAlert', 'ALERT_TESTED'],
  ['deleteAlert', 'ALERT_DELETED'],
  ['addReport', 'REPORT_CREATED', { name: 'W', every: 'week', measures: 'plays', ...hook }],
  ['changeReport', 'REPORT_CHANGED', { name: 'V' }],
  ['testReport', 'REPORT_TESTED'],
  ['deleteReport', 'REPORT_DELETED'],
  ['addFolder', 'FOLDER_CREATED', { folderName: 'One' }],
  ['putFolder', 'FOLDER_CHANGED', { folderName: 'Two' }],
  ['changeFolder', 'FOLDER_CHANGED', { folderName: 'Three' }],
  ['deleteFolder', 'FOLDER_DELETED'],
  ['addPackage', 'PACKAGE_CREATED', { packageName: 'One' }],
  ['putPackage', 'PACKAGE_CHANGED', { packageName: 'Two' }],
  ['changePackage', 'PACKAGE_CHANGED', { packageName: 'Three' }],
  ['importVideos', 'VIDEO_CREATED', { ...folder, csv: 'accessKey,title\na,A' }],
  ['importVideos', 'VIDEO_CHANGED', { ...folder, csv: 'accessKey,title\na,B' }],
  ['importVideos', 'VIDEOS_IMPORTED', { ...folder, csv: 'accessKey,title\nb,B\nc,C' }],
  ['importVideos', 'FOLDER_CREATED', { csv: 'accessKey,title,folderName\nd,D,New' }],
  ['importVideos', 'PUBLISHED', { ...folder, packageId: 1, csv: 'accessKey,title\nd,D' }],
  ['putVideo', 'VIDEO_CREATED', film],
  ['putVideo', 'VIDEO_CHANGED', { ...film, title: 'Two' }],
  ['changeVideo', 'VIDEO_CHANGED', { title: 'Three' }],
  [
    'putThumbnails',
    'THUMBNAILS_REPLACED',
    { thumbnails: [{ url: 'https://a.example/0' }, { url: 'https://a.example/1' }] },
  ],
  ['selectThumbnail', 'THUMBNAIL_SELECTED', { seq: 1 }],
  ['publish', 'PUBLISHED'],
  ['publish', 'PUBLICATION_CHANGED', { serviceAble: 'N' }],
  ['changePublication', 'PUBLICATION_CHANGED', { serviceAble: 'Y' }],
  ['decideSuspect', 'SUSPECT_ACCEPTED', { verdict: 'accepted' }],
  ['decideSuspect', 'SUSPECT_REFUSED', { verdict: 'refused' }],
  ['erasePlayback', 'PLAYBACK_ERASED', { viewer: 'ada' }],
  ['retire', 'PUBLICATION_RETIRED'],
  ['deletePackage', 'PACKAGE_DELETED'],
  ['deleteVideo', 'VIDEO_DELETED'],
  ['addVideo', 'VIDEO_CREATED', film],
];
/** Of the operator alone, who has no account's key. */
const ofOperator: readonly AuditAction[] = ['SUMS_REPAIRED', 'PERSON_CREATED', 'PERSON_REMOVED'];
/** Of whoever signs in. */
const ofSigningIn: readonly AuditAction[] = [
  ...(['SIGNED_IN', 'SIGN_IN_REFUSED', 'SIGN_IN_SLOWED'] as const),
  ...(['RECOVERY_CODE_USED', 'IDENTITY_BOUND', 'EMAIL_CHANGED'] as const),
];

const clock = manualClock();
let catalog: Catalog;
let accountId: number;
beforeAll(async () => {
  const all = await openCatalogAlone(clock);
  const library = await addLibrary(all);
  accountId = library.accountId;
  const { keyId } = accepted(await all.keys.create({ accountId, scopes: knownScopes }));
  catalog = all.as({ kind: 'KEY', keyId, keyName: 'ours', address: '192.0.2.1' });
  // The first one stays owner.
  for (const email of ['first@example.com', 'kim@example.com']) {
    const person = { email, name: 'Kim', language: 'en' as const, isOperator: true };
    const { personId } = accepted(await catalog.people.create(person));
    const owner = { accountId, personId, role: 'owner' as const, packageIds: undefined };
    accepted(await catalog.memberships.put(owner));
    known.personId = personId;
  }
  const place = { device: 'Firefox, Linux', address: '192.0.2.1', country: '' };
  ({ token } = await catalog.sessions.beginFor(Number(known.personId), place));
  await catalog.sessions.beginFor(Number(known.personId), place);
});
afterAll(() => catalog.close());

const sealer = createSigningSealer('a secret');
const services: OperationServices = {
  signingSealer: async () => sealer,
  ruleReader: async () => createRuleReader({ sealer, canMail: false }),
};

const passwords = createPasswords(clock, () => expect.unreachable('one at a time'));
const people: RunningService['people'] = {
  proofs: createProofs({
    ...{ passwords, secondFactorSealer: sealer, clock },
    catalog: {
      get people() {
        return catalog.people;
      },
      get sessions() {
        return catalog.sessions;
      },
    },
    limiterOf: createProcessLimiters(clock),
    logger: { error: () => expect.unreachable('all is noted') },
  }),
  ...{ passwords, secondFactorSealer: sealer, clock, sendMail: () => {} },
  takeMail: async () => {},
  maySendLink: async () => true,
  ...{ url: 'https://media.example.com', address: '192.0.2.1' },
};
let token: string;
let signed: SignedPerson | undefined;

const none = async () => [];
const done = async () => {};
/** Of a store that has nothing but one suspect. */
const service: RunningService = {
  suspects: createSuspects({
    ...{ list: none, has: async () => true, namesSince: none, sumAgain: done },
  }),
  eraser: createEraser({
    facts: {
      ...{ settlesWithinMs: 0, viewsOf: none, knownViews: none, isAnyLeft: async () => false },
      ...{ count: async () => ({ views: 0, facts: 0 }), sumWithout: done, delete: done },
    },
    ...{ secret: async () => 'a secret', clock },
  }),
  importVideos: createImportCsv(clock),
  readLedger: () => expect.unreachable('it changes nothing'),
  describeSender: () => expect.unreachable('it changes nothing'),
  state: {
    health: () => expect.unreachable('it changes nothing'),
    examine: () => expect.unreachable('it changes nothing'),
    limits: () => expect.unreachable('it changes nothing'),
  },
  composeMessage: async () => ({ type: 'alert.test', body: '{}' }),
  canMail: false,
  signedPerson: () => signed ?? expect.unreachable('somebody is signed in'),
  people,
};

/** Names and ids for paths: those of the answers so far. */
const known: Record<string, unknown> = { accessKey: 'film', suspect: 'VIDEO:2026-11-20:3' };

/** A message that its alert made. */
async function addDelivery(): Promise<void> {
  const [rule] = await catalog.rules.list(accountId, 'alert');
  assert(rule, 'an alert was added before');
  const judgedThrough = new Date(clock.now());
  const message = { type: 'alert.firing', body: '{}' } as const;
  await catalog.rules.conclude(rule, { judgedThrough, isFiring: true, message });
  known.deliveryId = (await catalog.deliveries.list(accountId, {}))[0]?.deliveryId;
}

/** Of all accounts, by age. */
const noted = async () => {
  const entries = [];
  for (const account of await catalog.accounts.list()) {
    entries.push(...(await catalog.audit.list(account.accountId, { limit: 1_000 })));
  }
  entries.sort((one, other) => other.auditId - one.auditId);
  return entries.map(({ action }) => action);
};

/** With the code that the app shows, of a time step of its own. */
function withCode(message: Members): Members {
  if (message.code !== shown) return message;
  clock.advance(30_000);
  const app = new TOTP({ secret: String(known.secret) });
  return { ...message, code: app.generate({ timestamp: clock.now() }) };
}

async function readSigned(): Promise<void> {
  const holder = await catalog.sessions.find(token);
  assert(holder && 'sessionId' in holder, 'the session goes on');
  signed = holder;
}

test('whatever is not a GET says what its changes are in the audit', () => {
  const wrong = operations.filter(
    ({ method, audit }) => (method === 'GET') !== (audit === undefined),
  );
  expect(wrong.map(({ operationId }) => operationId)).toEqual([]);
});

test('a change that does not say so is no operation', () => {
  const change = {
    method: 'DELETE',
    url: '/',
    operationId: 'x',
    role: 'owner',
    summary: '',
    answers: {},
  } as const;
  // @ts-expect-error: `audit` is missing.
  expect(defineOperation({ ...change, run: async () => ({}) })).not.toHaveProperty('audit');
});

test('an operation that says no role is none', () => {
  const change = { method: 'GET', url: '/', operationId: 'x', summary: '', answers: {} } as const;
  // @ts-expect-error: `role` is missing.
  expect(defineOperation({ ...change, run: async () => ({}) })).not.toHaveProperty('role');
});

test('every action of the audit is of an operation, of signing in, or the operator does it', () => {
  const all = new Set([...operations.flatMap(({ audit = [] }) => audit)]);
  for (const action of [...ofOperator, ...ofSigningIn]) all.add(action);
  expect([...all].sort()).toEqual(Object.keys(auditActions).sort());
});

test('every change of every operation is performed here', () => {
  const said = operations.flatMap(({ operationId, audit = [] }) =>
    audit.map((action) => `${operationId} ${action}`),
  );
  expect(changes.map(([operationId, action]) => `${operationId} ${action}`).sort()).toEqual(
    said.sort(),
  );
});

test.each(changes.map(([operationId, action, message = {}]) => ({ operationId, action, message })))(
  '$operationId notes $action once',
  async ({ operationId, action, message }) => {
    const operation = operations.find((one) => one.operationId === operationId);
    assert(operation, 'it is in the list');
    if (operationId === 'replayDelivery') await addDelivery();
    await readSigned();
    if (operationId === 'endOwnSession') {
      const place = { device: 'Chrome, Windows', address: '192.0.2.9', country: '' };
      await catalog.sessions.beginFor(Number(known.personId), place);
      const [newest] = await catalog.sessions.listOf(Number(known.personId));
      known.sessionId = newest?.sessionId;
    }
    const given = withCode(message);
    const names = Object.keys(operation.path?.properties ?? {});
    const path = Object.fromEntries(names.map((name) => [name, known[name]]));
    const call = { accountId, catalog, services, service, path, query: given, body: given };
    const before = await noted();
    const answer = await (operation.run?.(call) ?? operation.serve?.(call));
    const isCreated = answer instanceof Created;
    const body: unknown = isCreated ? answer.body : answer;
    const [first = ''] = Object.keys(operation.answers);
    const schema = operation.answers[isCreated ? 201 : Number(first)];
    if (schema) expect(messageFault(schema, body)).toBeUndefined();
    for (const [name, value] of Object.entries(body ?? {})) if (value !== null) known[name] = value;
    const after = await noted();
    const entries = after.slice(0, after.length - before.length);
    expect(entries.filter((entry) => entry === action)).toHaveLength(1);
    expect(operation.audit).toEqual(expect.arrayContaining(entries));
  },
);
