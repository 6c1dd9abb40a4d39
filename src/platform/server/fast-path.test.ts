import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { EncodedBodies } from '#platform/http/answer.ts';
import { createFastPath } from '#platform/server/fast-path.ts';

const text = Buffer.from('{}');
const bytes: EncodedBodies = {
  identity: text,
  br: text,
  gzip: text,
  etag: '"1"',
  type: 'application/json',
  cacheControl: 'no-cache',
};
const answerWhile = (isCurrent: () => boolean) => ({ bytes, headers: {}, isFor: () => true, isCurrent });
const response = { writeHead: () => {}, end: () => {} } as unknown as ServerResponse;
const request = (url: string) => ({ method: 'GET', url, headers: {} }) as IncomingMessage;

test('of more addresses than are kept, those asked for longest ago go, and the others stay', () => {
  const { answer, remember } = createFastPath();
  for (let one = 0; one < 500; one += 1)
    remember(
      `/${one}`,
      answerWhile(() => true),
    );
  expect(answer(request('/0'), response)).toBe(true);
  remember(
    '/500',
    answerWhile(() => true),
  );
  expect(['/0', '/1', '/2', '/500'].map((url) => answer(request(url), response))).toEqual([true, false, true, true]);
});

test('what is no longer current is not answered, and forgotten', () => {
  const { answer, remember } = createFastPath();
  let isCurrent = false;
  remember(
    '/',
    answerWhile(() => isCurrent),
  );
  expect(answer(request('/'), response)).toBe(false);
  isCurrent = true;
  expect(answer(request('/'), response)).toBe(false);
});

test('what is no longer current is forgotten without a request for it, and the rest stays', () => {
  const { answer, remember, forgetOld } = createFastPath();
  let isCurrent = false;
  remember(
    '/old',
    answerWhile(() => isCurrent),
  );
  remember(
    '/new',
    answerWhile(() => true),
  );
  forgetOld();
  isCurrent = true;
  expect(['/old', '/new'].map((url) => answer(request(url), response))).toEqual([false, true]);
});

test('bytes that were compressed again are sent with their own length', () => {
  const heads: Record<string, unknown>[] = [];
  const sent: unknown[] = [];
  const heard = {
    writeHead: (_status: number, headers: Record<string, unknown>) => heads.push(headers),
    end: (body: unknown) => sent.push(body),
  } as unknown as ServerResponse;
  const { answer, remember } = createFastPath();
  const mine = { ...bytes, br: Buffer.from('longer') };
  remember('/', { ...answerWhile(() => true), bytes: mine });
  const asked = { method: 'GET', url: '/', headers: { 'accept-encoding': 'br' } } as unknown as IncomingMessage;
  answer(asked, heard);
  mine.br = Buffer.from('short');
  answer(asked, heard);
  expect(sent.map(String)).toEqual(['longer', 'short']);
  expect(heads.map((headers) => headers['content-length'])).toEqual([6, 5]);
});

test('each caller gets the answer that is for them, and the framework the others', () => {
  const { answer, remember } = createFastPath();
  const sent: unknown[] = [];
  const heard = { writeHead: () => {}, end: (body: unknown) => sent.push(body) } as unknown as ServerResponse;
  for (const language of ['en', 'pl']) {
    remember('/', {
      ...answerWhile(() => true),
      bytes: { ...bytes, identity: Buffer.from(language) },
      isFor: (headers) => headers['accept-language'] === language,
    });
  }
  const asked = (language: string) =>
    answer({ method: 'GET', url: '/', headers: { 'accept-language': language } } as unknown as IncomingMessage, heard);
  expect(['en', 'pl', 'de'].map(asked)).toEqual([true, true, false]);
  expect(sent.map(String)).toEqual(['en', 'pl']);
});

test('of more answers at one address than are kept, the oldest are forgotten', () => {
  const { answer, remember } = createFastPath();
  const asked = (name: string) =>
    answer({ method: 'GET', url: '/', headers: { host: name } } as unknown as IncomingMessage, response);
  for (let one = 0; one < 11; one += 1) {
    remember('/', { ...answerWhile(() => true), isFor: ({ host }) => host === `shop${one}` });
  }
  expect(['shop0', 'shop1', 'shop10'].map(asked)).toEqual([false, true, true]);
});
