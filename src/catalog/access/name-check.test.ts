import { expect, test } from 'vitest';
import { isPlainText } from './name-check.ts';

test('a character counts once, however many UTF-16 units it has', () => {
  expect(isPlainText('😀'.repeat(200), 200)).toBe(true);
  expect(isPlainText('😀'.repeat(201), 200)).toBe(false);
});
