/** Makes what an account's tokens are signed with, and takes its public keys. */
import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import Type from 'typebox';
import type { SigningKey, SigningKeys } from '../catalog/catalog.ts';
import type { Logger } from '../lib/logger.ts';
import { createSealer, type Sealer } from '../lib/sealer.ts';
import { Fault } from '../vocabulary/faults.ts';
import {
  NewSigningKeyRecord,
  PageRequest,
  SigningKeyFields,
  SigningKeyList,
  SigningKeyRecord,
  SigningRotationFields,
} from '../wire/management-messages.ts';
import { parameterFault } from '../wire/parameters.ts';
import { hourMs, optional, overlapOption, required } from './command-options.ts';
import { defineOperation, paginate } from './operation.ts';
import { accepted } from './refusal-faults.ts';

const url = '/manage/v1/signing-keys';
const one = {
  url: `${url}/:signingKeyId`,
  path: Type.Object({ signingKeyId: SigningKeyRecord.properties.signingKeyId }),
};

export const signingKeys = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'signingKeys' },
    role: 'manager',
    summary: 'List all signing keys',
    query: PageRequest,
    answers: { 200: SigningKeyList },
    run: async ({ accountId, catalog, services, query }) => {
      const keys = await catalog.signingKeys.list(accountId);
      const sealer = await services.signingSealer();
      return paginate(
        keys.map((key) => toRecord(key, sealer)),
        query,
      );
    },
    commands: [
      {
        words: 'signing list',
        summary: 'List the signing keys of an account, without their secrets',
        options: {},
        show: ({ list }) => ({
          json: { signingKeyList: list },
          lines: list.map(({ signingKeyId, algorithm, expiresAt, isReadable }) =>
            [
              signingKeyId,
              algorithm,
              expiresAt === null ? '' : `expires ${expiresAt}`,
              isReadable ? '' : 'unreadable: APP_SECRET was changed; see signing rotate',
            ]
              .join('\t')
              .trimEnd(),
          ),
        }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url, operationId: 'addSigningKey' },
    role: 'manager',
    summary: 'Make a signing secret, or add a public key',
    description:
      'Tokens that your server signs with it vouch for views; see `signing` of a package. The ' +
      'secret is shown only in this answer. An API key that expires cannot add or replace ' +
      'signing keys, which do not expire.',
    body: SigningKeyFields,
    bodyIsOptional: true,
    answers: { 201: NewSigningKeyRecord },
    audit: ['SIGNING_KEY_ADDED'],
    run: async ({ accountId, catalog, services, body: { publicKey } }) => {
      const sealer = await services.signingSealer();
      if (publicKey === undefined) {
        const secret = drawSigningSecret();
        const material = sealer.seal(secret);
        const added = await catalog.signingKeys.add({ accountId, algorithm: 'HS256', material });
        return { ...toRecord(accepted(added), sealer), secret };
      }
      const material = readPublicKey(publicKey);
      const added = await catalog.signingKeys.add({ accountId, algorithm: 'EdDSA', material });
      return { ...toRecord(accepted(added), sealer), secret: null };
    },
    commands: [
      {
        words: 'signing create',
        summary: 'Create a secret for signed views, shown only once, or add a public key',
        options: {
          'public-key': {
            ...optional('publicKey', 'PEM file with your own Ed25519 public key', 'FILE'),
            read: readText,
          },
        },
        show: showSecret,
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'POST', url: `${one.url}/rotate`, operationId: 'rotateSigningKey' },
    role: 'manager',
    summary: 'Replace a signing secret with a new one',
    description: 'Tokens of the old one keep working for `overlapHours`.',
    body: SigningRotationFields,
    bodyIsOptional: true,
    answers: { 201: NewSigningKeyRecord },
    audit: ['SIGNING_KEY_ROTATED'],
    run: async ({ accountId, catalog, services, path, body: { overlapHours = 48 } }) => {
      const sealer = await services.signingSealer();
      const secret = drawSigningSecret();
      const overlapMs = Math.round(overlapHours * hourMs);
      const name = { accountId, ...path };
      const made = await catalog.signingKeys.rotate(name, sealer.seal(secret), overlapMs);
      return { ...toRecord(accepted(made), sealer), secret };
    },
    commands: [
      {
        words: 'signing rotate',
        summary: 'Replace a signing secret; tokens of the old one keep working for a while',
        options: {
          'signing-key': required(
            'signingKeyId',
            'Id of the secret to replace, as shown by signing list',
            'ID',
          ),
          'overlap-hours': overlapOption(
            'Hours that tokens of the old secret keep working; at most a year',
            48,
          ),
        },
        show: showSecret,
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'DELETE', operationId: 'deleteSigningKey' },
    role: 'manager',
    summary: 'Delete a signing key',
    description: 'This node refuses its tokens at once, other nodes within a second.',
    answers: { 204: null },
    audit: ['SIGNING_KEY_DELETED'],
    run: async ({ accountId, catalog, path }) => {
      accepted(await catalog.signingKeys.delete({ accountId, ...path }));
      return path;
    },
    commands: [
      {
        words: 'signing delete',
        summary: 'Delete a signing key; its tokens stop working within a second',
        options: {
          'signing-key': required(
            'signingKeyId',
            'Id of the signing key, as shown by signing list',
            'ID',
          ),
        },
        show: ({ signingKeyId }) => ({
          json: { signingKeyId },
          lines: [`Deleted signing key ${signingKeyId}`],
        }),
      },
    ],
  }),
];

interface ShownSecret {
  readonly signingKeyId: number;
  readonly secret: string | null;
}

function showSecret({ signingKeyId, secret }: ShownSecret) {
  return secret === null
    ? { json: { signingKeyId }, lines: [`Added signing key ${signingKeyId}`] }
    : { json: { signingKeyId, secret }, lines: [secret] };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Fault('NOT_FOUND', `${file} cannot be read`, { cause });
  }
}

const secretBytes = 32;
/** Never changes: secrets stay sealed for it for years. */
const sealedFor = 'playmeter signing secret v1';

/** HS256 needs the secret itself: it is stored sealed with the service's secret. */
export function createSigningSealer(serviceSecret: string): Sealer {
  return createSealer(serviceSecret, sealedFor);
}

/** A new secret: the key of HS256 is this text, as it is. */
export function drawSigningSecret(): string {
  return `pms_${randomBytes(secretBytes).toString('base64url')}`;
}

/** An Ed25519 public key as the catalog stores it; throws INVALID_PARAMETER. */
function readPublicKey(pem: string): Uint8Array {
  const key = parse(pem);
  if (key?.asymmetricKeyType === 'ed25519') return key.export({ format: 'der', type: 'spki' });
  const detail = 'must be an Ed25519 public key in PEM: -----BEGIN PUBLIC KEY-----';
  throw parameterFault([{ parameter: 'publicKey', detail }]);
}

function parse(pem: string): KeyObject | undefined {
  // Of a private key the public one would be read, and the other would have been sent for nothing.
  if (!/^\s*-----BEGIN PUBLIC KEY-----/.test(pem)) return undefined;
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

/** A signing key as its owner reads it: a secret is never shown again. */
function toRecord(key: SigningKey, sealer: Pick<Sealer, 'open'>) {
  const { signingKeyId, algorithm, material, createdAt, expiresAt } = key;
  return {
    signingKeyId,
    algorithm,
    publicKey: algorithm === 'EdDSA' ? toPem(material) : null,
    isReadable: isReadable(key, sealer),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/** Not if it is a secret that was sealed with another secret of the service. */
function isReadable(
  { algorithm, material }: Pick<SigningKey, 'algorithm' | 'material'>,
  sealer: Pick<Sealer, 'open'>,
): boolean {
  return algorithm === 'EdDSA' || sealer.open(material) !== undefined;
}

function toPem(material: Uint8Array): string {
  const key = createPublicKey({ key: Buffer.from(material), format: 'der', type: 'spki' });
  return key.export({ format: 'pem', type: 'spki' }).toString();
}

/** Opening as many takes a millisecond. */
const portionSecrets = 100;
const namedLimit = 20;

interface Needs {
  readonly signingKeys: Pick<SigningKeys, 'secretsAfter'>;
  readonly signingSealer: Pick<Sealer, 'open'>;
  readonly logger: Logger;
}

/** Names the signing secrets that another APP_SECRET sealed, at the start: else nobody notices. */
export async function warnOfUnreadableSecrets(needs: Needs): Promise<void> {
  const { signingKeys, signingSealer, logger } = needs;
  const unreadable: SigningKey[] = [];
  for (let last = 0; ; ) {
    const portion = await signingKeys.secretsAfter(last, portionSecrets);
    unreadable.push(...portion.filter((key) => !isReadable(key, signingSealer)));
    last = portion.at(-1)?.signingKeyId ?? last;
    if (portion.length < portionSecrets) break;
  }
  if (unreadable.length === 0) return;
  const named = unreadable.slice(0, namedLimit);
  logger.error(
    {
      secrets: unreadable.length,
      first: named.map(({ accountId, signingKeyId }) => ({ accountId, signingKeyId })),
    },
    'signing secrets cannot be read: APP_SECRET (or the file secret in DATA_DIR) is not the one ' +
      'they were stored under, and tokens signed with them are refused; set the former one ' +
      'again, or replace each with: playmeter signing rotate',
  );
}
