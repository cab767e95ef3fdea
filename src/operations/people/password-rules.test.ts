import { expect, test } from 'vitest';
import { requireGoodPassword } from './password-rules.ts';

const own = { email: 'minji.kim@example.com', name: 'Minji Kim' };

test.each([
  ['too short', 'kX9#pq2vB'],
  ['one word of the first that are guessed', 'qwertyuiop'],
  ['such a word with digits', 'Password2026!'],
  ['such a word spelled with signs', 'p@$$w0rd!!1'],
  ['such a word twice', 'dragondragon'],
  ['digits in a row', '1234567890'],
  ['few different characters', 'aabbaabbaabb'],
  ['the name of the person', 'minjikim2026'],
  ['the mail address of the person', 'minji.kim@example.com'],
  ['longer than is hashed', 'long enough '.repeat(17)],
])('refused: %s', (_, password) => {
  expect(() => requireGoodPassword(password, own)).toThrow();
});

test.each([['three river stones'], ['kX9#pq2vBn'], ['비밀번호는길게정하자']])(
  'taken: %s',
  (password) => {
    requireGoodPassword(password, own);
  },
);
