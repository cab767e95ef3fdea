import { expect, test } from 'vitest';
import { canonicalOrigin } from './origin.ts';

test.each([
  ['https://example.com', 'https://example.com'],
  ['HTTPS://Example.COM', 'https://example.com'],
  ['https://example.com:443', 'https://example.com'],
  ['http://example.com:443', 'http://example.com:443'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['capacitor://localhost', 'capacitor://localhost'],
  ['Android-App://com.Example', 'android-app://com.example'],
  ['https://example.com/', undefined],
  ['https://user@example.com', undefined],
  ['https://example.com\\@other.example', undefined],
  ['https://', undefined],
  ['https://[::1', undefined],
  ['example.com', undefined],
  ['null', undefined],
  ['', undefined],
])('%j has the origin %j', (text, origin) => {
  expect(canonicalOrigin(text)).toBe(origin);
});
