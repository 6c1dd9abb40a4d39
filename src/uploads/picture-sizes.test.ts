import { expect, test } from 'vitest';
import { srcsetsOf } from '#uploads/picture-sizes.ts';

const base = `/uploads/${'a'.repeat(64)}`;

test('a picture that was uploaded comes in each width it is kept in, no wider than it is', () => {
  expect(srcsetsOf(`${base}-800.webp`)).toEqual({
    avif: `${base}-128.avif 128w, ${base}-224.avif 224w, ${base}-400.avif 400w, ${base}-800.avif 800w`,
    webp: `${base}-128.webp 128w, ${base}-224.webp 224w, ${base}-400.webp 400w, ${base}-800.webp 800w`,
  });
  expect(srcsetsOf(`${base}-300.webp`)?.webp).toBe(
    `${base}-128.webp 128w, ${base}-224.webp 224w, ${base}-300.webp 300w`,
  );
  expect(srcsetsOf(`${base}-90.webp`)?.webp).toBe(`${base}-90.webp 90w`);
});

test.each(['/pictures/pizza.svg', 'https://example.com/x-800.webp', `${base}.apk`, ''])(
  'any other picture is one file: "%s"',
  (url) => {
    expect(srcsetsOf(url)).toBeNull();
  },
);
