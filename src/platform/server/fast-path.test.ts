import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { PrebuiltBytes } from '#platform/http/answer.ts';
import { createFastPath } from '#platform/server/fast-path.ts';

const text = Buffer.from('{}');
const bytes: PrebuiltBytes = {
  identity: text,
  br: text,
  gzip: text,
  etag: '"1"',
  type: 'application/json',
  cacheControl: 'no-cache',
};
const response = { writeHead: () => {}, end: () => {} } as unknown as ServerResponse;
const request = (url: string) => ({ method: 'GET', url, headers: {} }) as IncomingMessage;

test('of more addresses than are kept, those asked for longest ago go, and the others stay', () => {
  const { answer, remember } = createFastPath();
  for (let one = 0; one < 500; one += 1) remember(`/${one}`, bytes, () => true);
  expect(answer(request('/0'), response)).toBe(true);
  remember('/500', bytes, () => true);
  expect(['/0', '/1', '/2', '/500'].map((url) => answer(request(url), response))).toEqual([true, false, true, true]);
});

test('what is no longer current is not answered, and forgotten', () => {
  const { answer, remember } = createFastPath();
  let isCurrent = false;
  remember('/', bytes, () => isCurrent);
  expect(answer(request('/'), response)).toBe(false);
  isCurrent = true;
  expect(answer(request('/'), response)).toBe(false);
});
