import { expect, test } from 'vitest';
import { refuseDeeplyNestedJson } from '#platform/http/parse.ts';
import { bareHttpApp } from '#platform/testing/bare-http-app.ts';

const nested = (times: number, inner = '') => '['.repeat(times) + inner + ']'.repeat(times);

test.each([
  ['65 levels', nested(65)],
  ['many lists beside each other', `[${Array.from({ length: 500 }, () => '[{}]').join(',')}]`],
  ['brackets in a text', JSON.stringify({ note: nested(500), '[[{': '\\' })],
  ['brackets after an escaped quote', JSON.stringify([`"${'['.repeat(500)}`])],
])('%s are not too deep', (_case, json) => {
  expect(() => refuseDeeplyNestedJson(json)).not.toThrow();
  expect(() => JSON.parse(json)).not.toThrow();
});

test.each([
  ['lists', nested(66)],
  ['objects', '{"a":'.repeat(66) + '1' + '}'.repeat(66)],
  ['lists after a text that ends with a backslash', `["\\\\",${nested(66)}]`],
])('66 levels of %s are', (_case, json) => {
  expect(() => refuseDeeplyNestedJson(json)).toThrow(expect.objectContaining({ code: 'invalid' }));
});

test('a body that is too deep is refused before it is parsed', async () => {
  const app = bareHttpApp();
  app.post('/things', () => 'taken');
  // It has no end, which the parser would refuse in other words.
  const answer = await app.inject({
    method: 'POST',
    url: '/things',
    headers: { 'content-type': 'application/json' },
    payload: '['.repeat(32_000),
  });
  expect(answer.statusCode).toBe(422);
  await app.close();
});
