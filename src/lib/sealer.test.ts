import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSealer } from './sealer.ts';

const sealer = createSealer('secret', 'test v1');

test('what is sealed is opened, and reads differently each time', () => {
  const property = fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
    const sealed = sealer.seal(text);
    expect(sealer.open(sealed)).toBe(text);
    expect(sealer.seal(text).equals(sealed)).toBe(false);
    // A nonce of 12 bytes before the text, a tag of 16 after it.
    expect(sealed.length).toBe(Buffer.byteLength(text) + 28);
  });
  fc.assert(property);
});

test('one bit changed anywhere, or any end cut off, opens nothing', () => {
  const sealed = sealer.seal('text');
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(sealer.open(changed)).toBeUndefined();
  }
  for (let length = 0; length < sealed.length; length += 1) {
    expect(sealer.open(sealed.subarray(0, length))).toBeUndefined();
  }
});

test('another secret or another purpose opens nothing', () => {
  const sealed = sealer.seal('text');
  expect(createSealer('Secret', 'test v1').open(sealed)).toBeUndefined();
  expect(createSealer('secret', 'test v2').open(sealed)).toBeUndefined();
  expect(createSealer('secret', 'test v1').open(sealed)).toBe('text');
});
