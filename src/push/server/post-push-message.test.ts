import type { lookup } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { classifyPostResponse } from '#push/server/post-push-message.ts';
import { createPublicDnsLookup, isPublicAddress } from '#platform/server/addresses.ts';

const at = Date.parse('2026-11-21T18:00:00Z');

test.each([
  [201, undefined, { kind: 'sent' }],
  [200, undefined, { kind: 'sent' }],
  [404, undefined, { kind: 'gone' }],
  [410, undefined, { kind: 'gone' }],
  [429, '120', { kind: 'later', after: 120_000, why: 'status 429' }],
  [429, 'Sat, 21 Nov 2026 18:01:00 GMT', { kind: 'later', after: 60_000, why: 'status 429' }],
  [503, 'soon', { kind: 'later', after: null, why: 'status 503' }],
  [500, undefined, { kind: 'later', after: null, why: 'status 500' }],
  [301, undefined, { kind: 'refused', why: 'status 301' }],
  [400, undefined, { kind: 'refused', why: 'status 400' }],
  [403, undefined, { kind: 'refused', why: 'status 403' }],
  [413, undefined, { kind: 'refused', why: 'status 413' }],
])('the answer %i (%s) means %j', (status, retryAfter, outcome) => {
  expect(classifyPostResponse(status, retryAfter, at)).toEqual(outcome);
});

describe('the addresses of a host', () => {
  test.each([
    '127.0.0.1',
    '10.0.0.7',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
  ])('%s is not on the internet', (address) => expect(isPublicAddress(address)).toBe(false));
  test.each(['142.250.187.202', '2a00:1450:4009:81f::200a'])('%s is', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  const find = (addresses: { address: string; family: number }[], all: boolean) =>
    new Promise((resolve) => {
      const lookUp = (_host: string, _options: unknown, done: (...found: unknown[]) => void) => done(null, addresses);
      // The real function has many shapes; only this one is called.
      createPublicDnsLookup(lookUp as typeof lookup)('push.example', { all }, (...found) => resolve(found));
    });

  test('a host is refused if one of its addresses is private, even beside public ones', async () => {
    const mixed = [
      { address: '142.250.187.202', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ];
    expect(await find(mixed, true)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('10.0.0.7') }),
      '',
      0,
    ]);
    expect(await find([], true)).toEqual([expect.any(Error), '', 0]);
  });

  test('a host with public addresses is found in the form that was asked for', async () => {
    const open = [{ address: '142.250.187.202', family: 4 }];
    expect(await find(open, true)).toEqual([null, open]);
    expect(await find(open, false)).toEqual([null, '142.250.187.202', 4]);
  });
});
