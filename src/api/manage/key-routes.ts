import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { CatalogParts, Key, KeyName } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import { parseInstant } from '../../lib/instant.ts';
import {
  KeyFields,
  KeyList,
  KeyRecord,
  NewKeyRecord,
  PageRequest,
  RotationFields,
} from '../../wire/managing.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { addManageRoute, type ManageParts } from './manage-route.ts';
import { pageOf } from './page-of.ts';

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
      summary: 'All API keys',
      description: 'Those that were revoked or have expired as well.',
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
      summary: 'Make an API key',
      description: 'The key is in this answer only: of it, no more than a hash is stored.',
      body: KeyFields,
      answers: { 201: NewKeyRecord },
    },
    async ({ caller: { accountId }, catalog, body }) => {
      const expiresAt = readExpiry(body.expiresAt);
      const { scopes } = body;
      const { keyId, secret } = await catalog.keys.create({ accountId, scopes, expiresAt });
      return { status: 201, body: await newKeyOf(catalog, { accountId, keyId }, secret) };
    },
  );

  addRotation(app, parts);

  addManageRoute(
    app,
    parts,
    {
      method: 'DELETE',
      url: `${url}/:keyId`,
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      description: 'It is refused at once here, and within a second on other nodes.',
      path,
      answers: { 204: null },
    },
    async ({ caller: { accountId }, catalog, path: { keyId } }) => {
      await catalog.keys.revoke({ accountId, keyId });
      return { status: 204 };
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
      summary: 'Make a key in place of another',
      description: 'The new key has the same scopes; the old one works on for `overlapHours`.',
      path,
      body: RotationFields,
      bodyIsOptional: true,
      answers: { 201: NewKeyRecord },
    },
    async ({ caller: { accountId }, catalog, path: { keyId }, body: { overlapHours = 24 } }) => {
      const overlapMs = Math.round(overlapHours * hourMs);
      const made = await catalog.keys.rotate({ accountId, keyId }, overlapMs);
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

function recordOf({ keyId, prefix, scopes, createdAt, expiresAt, revokedAt }: Key) {
  return {
    keyId,
    prefix,
    scopes: [...scopes],
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}

function readExpiry(text: string | null | undefined): Date | undefined {
  if (text === null || text === undefined) return undefined;
  const instantMs = parseInstant(text);
  if (instantMs !== undefined) return new Date(instantMs);
  const detail = 'must be an instant that exists, such as 2026-11-20T10:15:30.123Z';
  throw parameterFault([{ parameter: 'expiresAt', detail }]);
}
