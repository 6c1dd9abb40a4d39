import { expect, test } from 'vitest';
import { asStarted } from '../bench/as-started.ts';

test('attacks and benchmarks start the server with the settings and flags of `npm start`', () => {
  expect(asStarted.environment).toMatchObject({ NODE_ENV: 'production', MALLOC_ARENA_MAX: '1' });
  expect(asStarted.flags).toEqual(['--expose-gc']);
});
