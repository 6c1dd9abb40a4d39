import { expect, test } from 'vitest';
import { equalInConstantTime } from '#platform/server/secrets/secret-store.ts';
import { productFiles, readSource } from '#testing/source.ts';

test.each<[string | Uint8Array, string | Uint8Array, boolean]>([
  ['secret', 'secret', true],
  ['secret', 'secreT', false],
  ['secret', 'secret and more', false],
  ['', '', true],
  ['ł', 'l', false],
  [new Uint8Array([1, 2]), new Uint8Array([1, 2]), true],
  [new Uint8Array([1, 2]), new Uint8Array([1, 3]), false],
])('%j and %j: %j', (one, other, isEqual) => {
  expect(equalInConstantTime(one, other)).toBe(isEqual);
});

test('is the only comparison of its kind', () => {
  const using = productFiles().filter((path) => readSource(path).includes('timingSafeEqual'));
  expect(using).toEqual(['platform/server/secrets/secret-store.ts']);
});
