import { expect, test } from 'vitest';
import type { Draft, Sender } from '../draft.ts';
import { checkOrigin } from './origin-step.ts';

const publication = { accountId: 1, packageId: 2, videoId: 3, allowedOrigins: [] as string[] };

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
  const draft = { publication: { ...publication, allowedOrigins }, facts: [] } as unknown as Draft;
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
