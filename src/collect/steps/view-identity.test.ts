import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identifyView } from './view-identity.ts';

const spaces = ['beacon', 'cmcd', 'player-log'] as const;

test.each([
  ['beacon', '0b8f0b6e-7c2b-4f55-9f63-0a4b8f5d2c11', '3c87ed89-86e3-2f34-055f-72ab4b2b4e01'],
  ['beacon', 'v', '4c94485e-0c21-ae6c-41ce-1dfe7b6bface'],
  ['beacon', 'view 1', '929ff50a-c256-880e-6e6a-1a8c01df696b'],
  ['beacon', 'Ünïcode 😀', 'c59dfa6f-73cb-a93c-e8f5-b4a297083bb6'],
  ['beacon', 'cmcd', 'db89de36-82e2-1852-26c3-f214549af073'],
  ['beacon', 'my cmcd 1', '10aad2ac-47ab-f286-e988-93e5f17b7c85'],
  ['beacon', 'cmcd-1', 'b450e3a3-6b8d-816b-5384-1caa280760aa'],
  ['beacon', 'beacon', '8a62e967-fcd6-dfa5-d753-08c37808b466'],
  ['beacon', '\ufffd', '83d544cc-c223-c057-d2bf-80d3f2a32982'],
  ['cmcd', '1 2 3 abc', '7af87bbb-2eba-0434-b129-bb5adfe3c779'],
  ['player-log', '1 2 3 u 20261120101530', 'bd988480-c81f-9b86-05bf-10b8e85a2e57'],
] as const)('a view of the first release keeps its identity: %s %j', (space, name, view) => {
  expect(identifyView(space, name)).toBe(view);
});

test.each(['cmcd 1 2 3 abc', 'player-log 1 2 3 u 20261120101530'])(
  'a beacon cannot name the view of another form: %s',
  (name) => {
    const [space = '', ...rest] = name.split(' ');
    expect(identifyView('beacon', name)).not.toBe(
      identifyView(space as 'cmcd' | 'player-log', rest.join(' ')),
    );
    expect(identifyView('beacon', name)).not.toBe(identifyView('beacon', `beacon ${name}`));
  },
);

test('halves of surrogate pairs are distinguished', () => {
  const names = ['\ud800', '\ud801', '\udfff', '\ufffd', 'v\ud800', '\ud800v', '\udc00\ud800'];
  const views = spaces.flatMap((space) => names.map((name) => identifyView(space, name)));
  expect(new Set(views).size).toBe(views.length);
});

test('the bytes of a half are those of no other name', () => {
  // Both are 61 d8 80 41, in UTF-16 and in UTF-8.
  expect(identifyView('beacon', '\ud861\u4180')).not.toBe(identifyView('beacon', 'a\u0600A'));
});

test('no two names fall together', () => {
  const begin = fc.constantFrom('', 'beacon ', 'cmcd ', 'player-log ', 'beacon', 'cmcd', '\ud83d');
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '\ud83d', '\ude00'), maxLength: 4 });
  const name = fc.tuple(begin, begin, text).map((parts) => parts.join(''));
  const named = fc.tuple(fc.constantFrom(...spaces), name);
  const all = fc.uniqueArray(named, { selector: String, minLength: 50 });
  fc.assert(
    fc.property(all, (views) => {
      expect(new Set(views.map((view) => identifyView(...view))).size).toBe(views.length);
    }),
  );
});
