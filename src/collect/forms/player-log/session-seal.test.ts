import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSessionSeal, type Session } from './session-seal.ts';

const seal = createSessionSeal('a secret of the service');
const session: Session = { accountId: 7, packageId: 3, videoId: 21, cs: '20261120120000' };

test('a uid is a UUID, new for each session, and known on every node', () => {
  const uids = Array.from({ length: 100 }, () => seal.draw(session));
  expect(new Set(uids).size).toBe(100);
  const otherNode = createSessionSeal('a secret of the service');
  for (const uid of uids) {
    expect(uid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(seal.isOf(session, uid)).toBe(true);
    expect(otherNode.isOf(session, uid)).toBe(true);
  }
});

test.each<[string, Partial<Session>]>([
  ['account', { accountId: 8 }],
  ['package', { packageId: 4 }],
  ['video', { videoId: 22 }],
  ['start', { cs: '20261120120001' }],
])('it is of no other %s', (_name, change) => {
  expect(seal.isOf({ ...session, ...change }, seal.draw(session))).toBe(false);
});

test('it is of no other service', () => {
  expect(createSessionSeal('another secret').isOf(session, seal.draw(session))).toBe(false);
});

test('no other text is one: whichever digit is changed, whatever is added', () => {
  const uid = seal.draw(session);
  for (let index = 0; index < uid.length; index += 1) {
    for (const digit of '0123456789abcdef-') {
      if (digit === uid[index]) continue;
      const changed = uid.slice(0, index) + digit + uid.slice(index + 1);
      expect(seal.isOf(session, changed), changed).toBe(false);
    }
  }
  const others = ['', ` ${uid}`, `${uid} `, `${uid}0`, uid.slice(1), uid.replaceAll('-', ''), 'x'];
  for (const other of others) expect(seal.isOf(session, other), other).toBe(false);
});

test('guesses are wrong', () => {
  fc.assert(
    fc.property(fc.uuid({ version: 8 }), fc.string(), (uuid, text) => {
      expect(seal.isOf(session, uuid)).toBe(false);
      expect(seal.isOf(session, text)).toBe(false);
    }),
  );
});
