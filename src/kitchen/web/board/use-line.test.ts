import { describe, expect, test } from 'vitest';
import { connectionQuality, connectionLostSince } from '#kitchen/web/board/use-board-connection.ts';

test.each([
  ['connected', 0, 'live'],
  ['connected', 7, 'live'],
  ['connected', 8, 'late'],
  ['connected', 14, 'late'],
  ['connected', 15, 'dead'],
  ['connecting', null, 'joining'],
  ['connecting', 2, 'joining'],
  ['connecting', 9, 'late'],
  ['connecting', 15, 'dead'],
  ['unavailable', 11, 'dead'],
  ['disconnected', 0, 'dead'],
  ['failed', null, 'dead'],
  ['unsubscribed', 1, 'dead'],
] as const)('a connection that is %s and silent for %s s is %s', (state, silence, line) => {
  expect(connectionQuality(state, silence)).toBe(line);
});

describe('a board sounds for its connection', () => {
  const now = Date.parse('2026-11-20T18:05:00.000Z');
  const ago = (seconds: number) => now - seconds * 1000;
  const long = ago(3600);

  test.each([
    ['20 s after the last message', 'unavailable', ago(20), long, ago(0)],
    ['not before', 'unavailable', ago(19), long, null],
    ['also if the socket looks alive', 'connected', ago(25), long, ago(5)],
    ['not while it is slow', 'connected', ago(14), long, null],
    ['not while it is live', 'connected', ago(1), long, null],
    ['not while its polls are answered', 'failed', null, ago(-10), null],
    ['when its polls are no longer answered', 'failed', null, ago(30), ago(10)],
    ['as pings without the channel bring no orders', 'unsubscribed', ago(1), ago(30), ago(10)],
    ['not while it is connecting for the first time', 'connecting', null, ago(30), null],
  ] as const)('%s', (_, state, heardAt, polledUntil, since) => {
    expect(connectionLostSince({ state, heardAt, polledUntil }, now)).toBe(since);
  });
});
