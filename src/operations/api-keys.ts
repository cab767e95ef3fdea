import Type from 'typebox';
import type { CatalogParts, Key, KeyName } from '../catalog/catalog.ts';
import { assert } from '../lib/assert.ts';
import { scopes as knownScopes } from '../vocabulary/scopes.ts';
import { requireInstants, toDate } from '../wire/instants.ts';
import {
  KeyChanges,
  KeyFields,
  KeyList,
  KeyRecord,
  NewKeyRecord,
  PageRequest,
  RotationFields,
} from '../wire/management-messages.ts';
import { parameterFault } from '../wire/parameters.ts';
import { hourMs, lastDayOption, optional, overlapOption, required } from './command-options.ts';
import { defineOperation, paginate } from './operation.ts';
import { accepted, found } from './refusal-faults.ts';

const url = '/manage/v1/keys';
const one = { url: `${url}/:keyId`, path: Type.Object({ keyId: KeyRecord.properties.keyId }) };

const keyOption = required('keyId', 'Key id, as shown by key list', 'ID');
const showKey = ({ key }: { readonly key: string }) => ({ json: { key }, lines: [key] });

export const apiKeys = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'keys' },
    role: 'owner',
    summary: 'List all API keys',
    description: 'Including revoked and expired keys.',
    query: PageRequest,
    answers: { 200: KeyList },
    run: async ({ accountId, catalog, query }) =>
      paginate((await catalog.keys.list(accountId)).map(toRecord), query),
    commands: [
      {
        words: 'key list',
        summary: 'List the API keys of an account, without their secrets',
        options: {},
        show: ({ list }, { accountId }) => ({
          json: { keyList: list.map((key) => briefly(key, accountId)) },
          lines: list.map(describe),
        }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url, operationId: 'addKey' },
    role: 'owner',
    summary: 'Create an API key',
    description:
      'Only this answer contains the key; the service stores no more than its hash. The new ' +
      'key may have no scope that the sending key lacks, and may not expire later (`403`).',
    body: KeyFields,
    answers: { 201: NewKeyRecord },
    audit: ['KEY_CREATED'],
    run: async ({ accountId, catalog, body }) => {
      requireInstants(body, ['expiresAt']);
      const { name, scopes } = body;
      const expiresAt = toDate(body.expiresAt);
      const { keyId, secret } = accepted(
        await catalog.keys.create({ accountId, name, scopes, expiresAt }),
      );
      return createNewKey(catalog, { accountId, keyId }, secret);
    },
    commands: [
      {
        words: 'key create',
        summary: 'Create an API key; it is shown only once',
        options: {
          name: optional('name', 'Name to recognize the key by', 'NAME'),
          scopes: {
            ...required(
              'scopes',
              `What it may do, separated by commas: ${knownScopes.join(', ')}`,
              'A,B',
            ),
            read: readScopes,
          },
          expires: lastDayOption,
        },
        show: showKey,
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'PATCH', operationId: 'changeKey' },
    role: 'owner',
    summary: 'Rename an API key',
    description:
      'The key itself stays the same and works as before; entries of the audit keep the name ' +
      'that it had then.',
    body: KeyChanges,
    answers: { 200: KeyRecord },
    audit: ['KEY_CHANGED'],
    run: async ({ accountId, catalog: { keys }, path: { keyId }, body: { name } }) =>
      toRecord(
        name === undefined
          ? found(
              (await keys.list(accountId)).find((key) => key.keyId === keyId),
              'NO_KEY',
            )
          : accepted(await keys.rename({ accountId, keyId }, name)),
      ),
    commands: [
      {
        words: 'key change',
        summary: 'Rename a key',
        options: { key: keyOption, name: required('name', 'Name to recognize the key by', 'NAME') },
        show: ({ keyId, name }) => ({ json: { keyId }, lines: [`Key ${keyId}: ${name}`] }),
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'POST', url: `${one.url}/rotate`, operationId: 'rotateKey' },
    role: 'owner',
    summary: 'Replace an API key with a new one',
    description:
      'The new key has the same name, scopes and expiry; the old one keeps working for ' +
      '`overlapHours`. A key with more scopes than the sending key, or a later expiry, is not ' +
      'rotated (`403`).',
    body: RotationFields,
    bodyIsOptional: true,
    answers: { 201: NewKeyRecord },
    audit: ['KEY_ROTATED'],
    run: async ({ accountId, catalog, path: { keyId }, body: { overlapHours = 24 } }) => {
      const overlapMs = Math.round(overlapHours * hourMs);
      const made = accepted(await catalog.keys.rotate({ accountId, keyId }, overlapMs));
      return createNewKey(catalog, { accountId, keyId: made.keyId }, made.secret);
    },
    commands: [
      {
        words: 'key rotate',
        summary: 'Replace a key; the old one keeps working for a while',
        options: {
          key: required('keyId', 'Id of the key to replace, as shown by key list', 'ID'),
          'overlap-hours': overlapOption(
            'Hours that the old key keeps working; at most a year',
            24,
          ),
        },
        show: showKey,
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'DELETE', operationId: 'revokeKey' },
    role: 'owner',
    summary: 'Revoke an API key',
    description: 'This node refuses it at once, other nodes within a second.',
    answers: { 204: null },
    audit: ['KEY_REVOKED'],
    run: async ({ accountId, catalog, path }) => {
      accepted(await catalog.keys.revoke({ accountId, ...path }));
      return path;
    },
    commands: [
      {
        words: 'key revoke',
        summary: 'Revoke an API key; it stops working within a second',
        options: { key: keyOption },
        show: ({ keyId }) => ({ json: { keyId }, lines: [`Revoked key ${keyId}`] }),
      },
    ],
  }),
];

async function createNewKey({ keys }: CatalogParts, { accountId, keyId }: KeyName, key: string) {
  const made = (await keys.list(accountId)).find((one) => one.keyId === keyId);
  assert(made, 'a key that was made is listed');
  return { ...toRecord(made), key };
}

/** Without the ends that it does not have. */
function briefly({ keyId, ...members }: ListedKey, accountId: number) {
  const present = Object.entries(members).filter(([, value]) => value !== null);
  return { keyId, accountId, ...Object.fromEntries(present) };
}

type ListedKey = ReturnType<typeof toRecord>;

function toRecord({ keyId, prefix, name, scopes, createdAt, ...ends }: Key) {
  return {
    keyId,
    prefix,
    name,
    scopes: [...scopes],
    createdAt: createdAt.toISOString(),
    expiresAt: ends.expiresAt?.toISOString() ?? null,
    revokedAt: ends.revokedAt?.toISOString() ?? null,
    lastUsedAt: ends.lastUsedAt?.toISOString() ?? null,
    createdBy: ends.createdBy ?? null,
    createdByName: ends.createdByName ?? null,
  };
}

function readScopes(text: string) {
  const given = new Set(text.split(',').map((scope) => scope.trim()));
  const scopes = knownScopes.filter((scope) => given.has(scope));
  if (scopes.length === given.size) return scopes;
  const detail = `must be some of ${knownScopes.join(', ')}, separated by commas`;
  throw parameterFault([{ parameter: 'scopes', detail }]);
}

function describe({ keyId, prefix, name, scopes, ...at }: ListedKey): string {
  const states = [
    at.lastUsedAt ? `used ${at.lastUsedAt}` : 'never used',
    ...(at.revokedAt ? [`revoked ${at.revokedAt}`] : []),
    ...(at.expiresAt ? [`expires ${at.expiresAt}`] : []),
  ];
  return [keyId, `${prefix}...`, name, scopes.join(','), states.join(', ')].join('\t');
}
