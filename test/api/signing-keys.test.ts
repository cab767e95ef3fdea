/** Signing keys over HTTP, and what becomes of views under their tokens on the whole service. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { createSigningSealer, drawSigningSecret } from '../../src/operations/signing-keys.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { claimsFor, tokenOf } from '../support/view-token.ts';

let service: TestService;
let account: TestAccount;
let packageId: number;
let videoKey: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.addAccount();
  packageId = await account.addPackage();
  videoKey = await account.publish(packageId, await account.addVideo());
});

const manage = (method: string, path: string, message?: object, key = account.key) =>
  service.manage(key, method, path, message);

interface Refusal {
  readonly code: string;
  readonly detail: string;
}

async function answerTo(token?: string): Promise<Refusal | undefined> {
  const at = new Date().toISOString();
  const beacon = { view: randomUUID(), stretch: 0, at, playMs: 0, videoKey };
  const response = await service.send([{ ...beacon, ...(token === undefined ? {} : { token }) }]);
  const { rejected } = (await response.json()) as { rejected: Refusal[] };
  return rejected[0];
}

async function send(token?: string) {
  return (await answerTo(token))?.code;
}

const tokenBy = (secret: string) =>
  tokenOf(claimsFor(videoKey, Date.now(), { jti: randomUUID() }), secret);

test('a secret is shown once, replaced and deleted; tokens work as long as it does', async () => {
  await manage('PATCH', `/packages/${packageId}`, { signing: 'require' });
  const made = await manage('POST', '/signing-keys');
  expect(made).toMatchObject({ status: 201, body: { algorithm: 'HS256', publicKey: null } });
  const { signingKeyId, secret } = made.body;
  const listed = await manage('GET', '/signing-keys');
  expect(listed.body.list).toMatchObject([{ signingKeyId, expiresAt: null }]);
  expect(JSON.stringify(listed.body)).not.toContain(secret);
  expect(await send()).toBe('UNSIGNED');
  expect(await send(tokenBy(secret))).toBeUndefined();

  const next = await manage('POST', `/signing-keys/${signingKeyId}/rotate`, { overlapHours: 1 });
  expect(next.status).toBe(201);
  expect(await send(tokenBy(next.body.secret))).toBeUndefined();
  expect(await send(tokenBy(secret))).toBeUndefined();
  const again = await manage('POST', `/signing-keys/${signingKeyId}/rotate`);
  expect(again.status).toBe(409);
  expect((await manage('DELETE', `/signing-keys/${signingKeyId}`)).status).toBe(204);
  expect(await send(tokenBy(secret))).toBe('UNSIGNED');
  expect(await send(tokenBy(next.body.secret))).toBeUndefined();

  const audit = await manage('GET', '/audit');
  expect(JSON.stringify(audit.body)).not.toContain(next.body.secret);
  const actions = audit.body.list.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(
    expect.arrayContaining(['SIGNING_KEY_ADDED', 'SIGNING_KEY_ROTATED', 'SIGNING_KEY_DELETED']),
  );
});

test('a public key is registered; anything else is not', async () => {
  await manage('PATCH', `/packages/${packageId}`, { signing: 'require' });
  const pair = generateKeyPairSync('ed25519');
  const publicKey = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const added = await manage('POST', '/signing-keys', { publicKey });
  expect(added).toMatchObject({
    status: 201,
    body: { algorithm: 'EdDSA', publicKey, secret: null },
  });
  expect(await send(tokenOf(claimsFor(videoKey, Date.now()), pair.privateKey))).toBeUndefined();
  const path = `/signing-keys/${added.body.signingKeyId}`;
  expect((await manage('POST', `${path}/rotate`)).status).toBe(409);
  const others = [
    pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    generateKeyPairSync('x25519').publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    '-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----\n',
    'text',
  ];
  for (const other of others) {
    const refused = await manage('POST', '/signing-keys', { publicKey: other });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ parameter: 'publicKey' }] } });
  }
});

test('a secret that was stored under another APP_SECRET is shown so, and can be replaced', async () => {
  await manage('PATCH', `/packages/${packageId}`, { signing: 'require' });
  const secret = drawSigningSecret();
  const material = createSigningSealer('the APP_SECRET of before').seal(secret);
  const { accountId } = account;
  const { signingKeys } = service.catalog;
  accepted(await signingKeys.add({ accountId, algorithm: 'HS256', material }));
  const { body } = await manage('GET', '/signing-keys');
  expect(body.list).toMatchObject([{ isReadable: false }]);
  expect(await answerTo(tokenBy(secret))).toMatchObject({
    code: 'UNSIGNED',
    detail: expect.stringContaining('cannot be read'),
  });

  const next = await manage('POST', `/signing-keys/${body.list[0].signingKeyId}/rotate`);
  expect(next).toMatchObject({ status: 201, body: { isReadable: true } });
  expect(await send(tokenBy(next.body.secret))).toBeUndefined();
});
