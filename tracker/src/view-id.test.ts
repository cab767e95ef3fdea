import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createViewId, uuidOf } from './view-id.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('is a UUID with and without crypto.randomUUID', () => {
  expect(createViewId()).toMatch(uuid);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      expect(uuidOf(bytes)).toMatch(uuid);
    }),
  );
});
