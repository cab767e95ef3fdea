import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { CatalogParts, Key, KeyName } from '../../../catalog/catalog.ts';
import { assert } from '../../../lib/assert.ts';
import { parseInstant } from '../../../lib/time/instant.ts';
import { accepted, found } from '../../../operations/refusal-faults.ts';
import {
  KeyChanges,
  KeyFields,
  KeyList,
  KeyRecord,
  NewKeyRecord,
  PageRequest,
  RotationFields,
} from '../../../wire/management-messages.ts';
import { parameterFault } from '../../../wire/parameters.ts';
import { pageOf } from '../list-page.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';

const url = '/manage/v1/keys';
const hourMs = 3_600_000;
const path = Type.Object({ keyId: KeyRecord.properties.keyId });

export function addKeyRoutes(app: FastifyInstance, parts: ManageParts): void {
  addManageRoute(
    app,
    parts,
    {
      method: 'GET',
      url,
      operationId: 'keys',
      summary: 'List all API keys',
      description: 'Including revoked and expired keys.',
      query: PageRequest,
      answers: { 200: KeyList },
    },
    async ({ caller, catalog, query }) => {
      const keys = await catalog.keys.list(caller.accountId);
      return { status: 200, body: pageOf(keys.map(recordOf), query) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      method: 'POST',
      url,
      operationId: 'addKey',
      summary: 'Create an API key',
      description:
        'Only this answer contains the key; the service stores no more than its hash. The new ' +
        'key may have no scope that the sending key lacks, and may not expire later (`403`).',
      body: KeyFields,
      answers: { 201: NewKeyRecord },
    },
    async ({ caller: { accountId }, catalog, body }) => {
      const expiresAt = readExpiry(body.expiresAt);
      const { name, scopes } = body;
      const { keyId, secret } = accepted(
        await catalog.keys.create({ accountId, name, scopes, expiresAt }),
      );
      return { status: 201, body: await newKeyOf(catalog, { accountId, keyId }, secret) };
    },
  );

  addRenaming(app, parts);
  addRotation(app, parts);

  addManageRoute(
    app,
    parts,
    {
      method: 'DELETE',
      url: `${url}/:keyId`,
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      description: 'This node refuses it at once, other nodes within a second.',
      path,
      answers: { 204: null },
    },
    async ({ caller: { accountId }, catalog, path: { keyId } }) => {
      accepted(await catalog.keys.revoke({ accountId, keyId }));
      return { status: 204 };
    },
  );
}

function addRenaming(app: FastifyInstance, parts: ManageParts): void {
  addManageRoute(
    app,
    parts,
    {
      method: 'PATCH',
      url: `${url}/:keyId`,
      operationId: 'changeKey',
      summary: 'Rename an API key',
      description:
        'The key itself stays the same and works as before; entries of the audit keep the name ' +
        'that it had then.',
      path,
      body: KeyChanges,
      answers: { 200: KeyRecord },
    },
    async ({ caller: { accountId }, catalog: { keys }, path: { keyId }, body: { name } }) => {
      const key =
        name === undefined
          ? found(
              (await keys.list(accountId)).find((one) => one.keyId === keyId),
              'NO_KEY',
            )
          : accepted(await keys.rename({ accountId, keyId }, name));
      return { status: 200, body: recordOf(key) };
    },
  );
}

function addRotation(app: FastifyInstance, parts: ManageParts): void {
  addManageRoute(
    app,
    parts,
    {
      method: 'POST',
      url: `${url}/:keyId/rotate`,
      operationId: 'rotateKey',
      summary: 'Replace an API key with a new one',
      description:
        'The new key has the same name, scopes and expiry; the old one keeps working for ' +
        '`overlapHours`. A key with more scopes than the sending key, or a later expiry, is not ' +
        'rotated (`403`).',
      path,
      body: RotationFields,
      bodyIsOptional: true,
      answers: { 201: NewKeyRecord },
    },
    async ({ caller: { accountId }, catalog, path: { keyId }, body: { overlapHours = 24 } }) => {
      const overlapMs = Math.round(overlapHours * hourMs);
      const made = accepted(await catalog.keys.rotate({ accountId, keyId }, overlapMs));
      const name = { accountId, keyId: made.keyId };
      return { status: 201, body: await newKeyOf(catalog, name, made.secret) };
    },
  );
}

async function newKeyOf({ keys }: CatalogParts, { accountId, keyId }: KeyName, key: string) {
  const made = (await keys.list(accountId)).find((one) => one.keyId === keyId);
  assert(made, 'a key that was made is listed');
  return { ...recordOf(made), key };
}

function recordOf({ keyId, prefix, name, scopes, createdAt, ...ends }: Key) {
  return {
    keyId,
    prefix,
    name,
    scopes: [...scopes],
    createdAt: createdAt.toISOString(),
    expiresAt: ends.expiresAt?.toISOString() ?? null,
    revokedAt: ends.revokedAt?.toISOString() ?? null,
    lastUsedAt: ends.lastUsedAt?.toISOString() ?? null,
  };
}

function readExpiry(text: string | null | undefined): Date | undefined {
  if (text === null || text === undefined) return undefined;
  const instantMs = parseInstant(text);
  if (instantMs !== undefined) return new Date(instantMs);
  const detail = 'must be an existing date and time, such as 2026-11-20T10:15:30.123Z';
  throw parameterFault([{ parameter: 'expiresAt', detail }]);
}
