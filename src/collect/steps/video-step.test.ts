import { expect, test } from 'vitest';
import type { Publication } from '../../catalog/catalog.ts';
import type { Beacon } from '../../wire/beacons/beacon.ts';
import type { BeaconDraft, Sender } from '../draft.ts';
import { checkAuthority } from './authority-step.ts';
import { checkOrigin } from './origin-step.ts';
import { identifyVideo } from './video-step.ts';

const publication = { accountId: 1, packageId: 2, videoId: 3, allowedOrigins: [] as string[] };
const player: Sender = {};
const server: Sender = { accountId: 1 };

const draftOf = (beacon: Partial<Beacon>, found?: object) =>
  ({ beacon, publication: found, facts: [] }) as unknown as BeaconDraft;

/** Why it is refused; otherwise the video that it is of. */
function identified(beacon: Partial<Beacon>, sender: Sender, found?: object) {
  const draft = draftOf(beacon);
  const find = () => found as Publication | undefined;
  const refusal = identifyVideo.run(draft, { sender, nowMs: 0, find });
  return refusal ?? draft.publication;
}

const byNumber = { accessKey: 'film', packageId: 2 };
const invalid = (detail: string) => ({ code: 'INVALID_BEACON', detail });
const isRequired = invalid('videoKey: is required, or accessKey and packageId with a key');
const notTogether = invalid('videoKey: not together with accessKey and packageId');
const unknown = (name: string) => {
  return {
    code: 'UNKNOWN_VIDEO',
    detail: `${name}: no such video in a package; copy it from the dashboard`,
  };
};

test.each<[Partial<Beacon>, Sender, object | undefined, object]>([
  [{ videoKey: 'k' }, player, publication, publication],
  [{ videoKey: 'k' }, server, publication, publication],
  [byNumber, server, publication, publication],
  [{}, player, publication, isRequired],
  [{ accessKey: 'film' }, server, publication, isRequired],
  [{ packageId: 2 }, server, publication, isRequired],
  [{ videoKey: 'k', accessKey: 'film' }, server, publication, notTogether],
  [{ videoKey: 'k', packageId: 2 }, server, publication, notTogether],
  [{ videoKey: 'k' }, player, undefined, unknown('videoKey')],
  [byNumber, server, undefined, unknown('accessKey, packageId')],
  [{ videoKey: 'k' }, { accountId: 9 }, publication, unknown('videoKey')],
])('the video of %j from %j, of which %j is known: %j', (beacon, sender, found, expected) => {
  expect(identified(beacon, sender, found)).toEqual(expected);
});

test.each([
  [{ videoKey: 'k' }, undefined],
  [{ accessKey: 'film' }, 'accessKey'],
  [{ packageId: 2 }, 'packageId'],
  [{ userAgent: 'x' }, 'userAgent'],
  [{ address: '192.0.2.1' }, 'address'],
])('without a key, %j may not say %s', (beacon, member) => {
  const context = { nowMs: 0, find: () => undefined };
  const detail = `${member}: needs an API key with collect:write`;
  expect(checkAuthority.run(draftOf(beacon), { ...context, sender: player })).toEqual(
    member === undefined ? undefined : { code: 'KEY_REQUIRED', detail },
  );
  expect(checkAuthority.run(draftOf(beacon), { ...context, sender: server })).toBeUndefined();
});

test.each<[string[], string | null | undefined, boolean]>([
  [[], 'https://a.example', true],
  [['https://a.example'], 'https://a.example', true],
  [['https://b.example', 'https://a.example'], 'https://a.example', true],
  [['https://a.example'], 'https://b.example', false],
  [['https://a.example'], 'http://a.example', false],
  [['https://a.example'], 'https://a.example:8443', false],
  [['https://a.example'], 'https://a.example.evil.example', false],
  [['https://a.example'], 'null', false],
  [['https://a.example'], '', false],
  [['https://a.example'], undefined, true],
])('where a package allows %j, a page of %j counts: %j', (allowedOrigins, origin, counts) => {
  const draft = draftOf({}, { ...publication, allowedOrigins });
  const sender = { origin } as Sender;
  expect(checkOrigin.run(draft, { sender, nowMs: 0 })).toEqual(
    counts
      ? undefined
      : {
          code: 'ORIGIN',
          detail: 'Origin: not one of the allowedOrigins of the package; add it there',
        },
  );
});
