import { expect, test } from 'vitest';
import { isolateName } from './isolated-name.ts';

test.each([
  ['Studio', 'Studio'],
  ['스튜디오', '스튜디오'],
  ['Studio\r\nBcc: a@example.com', 'Studio  Bcc: a@example.com'],
  ['סרטים', '\u2068סרטים\u2069'],
  ['a\u202Egpj.exe', '\u2068agpj.exe\u2069'],
  ['a\u2069\u202Eb', '\u2068ab\u2069'],
])('%j stands within a text as %j', (name, shown) => {
  expect(isolateName(name)).toBe(shown);
});
