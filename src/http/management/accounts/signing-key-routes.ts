import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { CatalogParts } from '../../../catalog/catalog.ts';
import type { Sealer } from '../../../lib/sealer.ts';
import { accepted } from '../../../operations/refusal-faults.ts';
import {
  drawSigningSecret,
  readPublicKey,
  signingKeyRecordOf,
} from '../../../operations/signing-keys.ts';
import {
  NewSigningKeyRecord,
  PageRequest,
  SigningKeyFields,
  SigningKeyList,
  SigningKeyRecord,
  SigningRotationFields,
} from '../../../wire/management-messages.ts';
import { pageOf } from '../list-page.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';

export interface SigningKeyParts extends ManageParts {
  /** See createSigningSealer. */
  readonly signingSealer: Sealer;
}

const url = '/manage/v1/signing-keys';
const hourMs = 3_600_000;
const path = Type.Object({ signingKeyId: SigningKeyRecord.properties.signingKeyId });

export function addSigningKeyRoutes(app: FastifyInstance, parts: SigningKeyParts): void {
  addManageRoute(
    app,
    parts,
    {
      method: 'GET',
      url,
      operationId: 'signingKeys',
      summary: 'List all signing keys',
      query: PageRequest,
      answers: { 200: SigningKeyList },
    },
    async ({ caller, catalog, query }) => {
      const keys = await catalog.signingKeys.list(caller.accountId);
      const records = keys.map((key) => signingKeyRecordOf(key, parts.signingSealer));
      return { status: 200, body: pageOf(records, query) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      method: 'POST',
      url,
      operationId: 'addSigningKey',
      summary: 'Make a signing secret, or add a public key',
      description:
        'Tokens that your server signs with it vouch for views; see `signing` of a package. The ' +
        'secret is shown only in this answer. An API key that expires cannot add or replace ' +
        'signing keys, which do not expire.',
      body: SigningKeyFields,
      bodyIsOptional: true,
      answers: { 201: NewSigningKeyRecord },
    },
    async ({ caller: { accountId }, catalog, body: { publicKey } }) => ({
      status: 201,
      body:
        publicKey === undefined
          ? await addSecret(parts, (material) =>
              catalog.signingKeys.add({ accountId, algorithm: 'HS256', material }),
            )
          : await addPublicKey(parts, catalog.signingKeys, { accountId, pem: publicKey }),
    }),
  );

  addOneSigningKey(app, parts);
}

function addOneSigningKey(app: FastifyInstance, parts: SigningKeyParts): void {
  const one = { url: `${url}/:signingKeyId`, path };
  addManageRoute(
    app,
    parts,
    {
      method: 'POST',
      url: `${one.url}/rotate`,
      operationId: 'rotateSigningKey',
      summary: 'Replace a signing secret with a new one',
      description: 'Tokens of the old one keep working for `overlapHours`.',
      path,
      body: SigningRotationFields,
      bodyIsOptional: true,
      answers: { 201: NewSigningKeyRecord },
    },
    async ({ caller: { accountId }, catalog, path, body: { overlapHours = 48 } }) => ({
      status: 201,
      body: await addSecret(parts, (material) =>
        catalog.signingKeys.rotate(
          { accountId, ...path },
          material,
          Math.round(overlapHours * hourMs),
        ),
      ),
    }),
  );

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'DELETE',
      operationId: 'deleteSigningKey',
      summary: 'Delete a signing key',
      description: 'This node refuses its tokens at once, other nodes within a second.',
      answers: { 204: null },
    },
    async ({ caller: { accountId }, catalog, path }) => {
      accepted(await catalog.signingKeys.delete({ accountId, ...path }));
      return { status: 204 };
    },
  );
}

type Added = ReturnType<CatalogParts['signingKeys']['add']>;

async function addSecret({ signingSealer }: SigningKeyParts, add: (material: Uint8Array) => Added) {
  const secret = drawSigningSecret();
  const key = accepted(await add(signingSealer.seal(secret)));
  return { ...signingKeyRecordOf(key, signingSealer), secret };
}

async function addPublicKey(
  { signingSealer }: SigningKeyParts,
  signingKeys: CatalogParts['signingKeys'],
  { accountId, pem }: { accountId: number; pem: string },
) {
  const material = readPublicKey(pem);
  const key = accepted(await signingKeys.add({ accountId, algorithm: 'EdDSA', material }));
  return { ...signingKeyRecordOf(key, signingSealer), secret: null };
}
