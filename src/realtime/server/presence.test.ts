import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPresence } from '#realtime/server/presence.ts';

type Change = [change: string, channel: string, userId: string];

function record() {
  const changes: Change[] = [];
  const presence = createPresence((change, channel, userId) => changes.push([change, channel, userId]));
  return { presence, changes };
}

test('a user with two sockets comes once and leaves once', () => {
  const { presence, changes } = record();
  expect(presence.join('a', 'anna', '1', null)).toBe(true);
  expect(presence.join('a', 'anna', '2', null)).toBe(false);
  expect(presence.leave('a', 'anna', '1')).toBe(false);
  expect(presence.members('a').size).toBe(1);
  expect(presence.leave('a', 'anna', '2')).toBe(true);
  expect(changes).toEqual([
    ['added', 'a', 'anna'],
    ['removed', 'a', 'anna'],
  ]);
  expect(presence.size()).toBe(0);
});

test('a user on two instances stays until both have let go', () => {
  const { presence, changes } = record();
  presence.peerJoined('other', ['a', 'anna', { name: 'Anna' }]);
  expect(presence.join('a', 'anna', '1', { name: 'Anna' })).toBe(true);
  expect(presence.leave('a', 'anna', '1')).toBe(true);
  expect(presence.members('a')).toEqual(new Map([['anna', { name: 'Anna' }]]));
  presence.peerLeft('other', 'a', 'anna');
  expect(changes).toEqual([
    ['added', 'a', 'anna'],
    ['removed', 'a', 'anna'],
  ]);
});

test('a new roster of an instance tells only what differs', () => {
  const { presence, changes } = record();
  presence.replacePeer('other', [
    ['a', 'anna', null],
    ['a', 'ben', null],
  ]);
  changes.length = 0;
  presence.replacePeer('other', [
    ['a', 'ben', null],
    ['b', 'anna', null],
  ]);
  expect(changes).toEqual([
    ['added', 'b', 'anna'],
    ['removed', 'a', 'anna'],
  ]);
  expect(presence.localEntries()).toEqual([]);
});

const channels = fc.constantFrom('a', '__proto__');
const users = fc.constantFrom('anna', 'ben', 'constructor');
const holders = fc.constantFrom('s1', 's2', 'p1', 'p2');
const steps = fc.array(fc.tuple(fc.boolean(), channels, users, holders), { maxLength: 60 });

test('whatever comes and goes, listeners see each user come and go in turn', () => {
  fc.assert(fc.property(steps, follow));
});

function follow(taken: [boolean, string, string, string][]): void {
  const { presence, changes } = record();
  const held = new Set<string>();
  for (const [joins, channel, user, holder] of taken) {
    const key = `${channel} ${user} ${holder}`;
    if (joins) held.add(key);
    else held.delete(key);
    if (holder.startsWith('s')) {
      if (joins) presence.join(channel, user, holder, null);
      else presence.leave(channel, user, holder);
    } else if (joins) presence.peerJoined(holder, [channel, user, null]);
    else presence.peerLeft(holder, channel, user);
  }
  for (const channel of ['a', '__proto__']) {
    const expected = new Set([...held].filter((key) => key.startsWith(`${channel} `)).map((key) => key.split(' ')[1]));
    expect(new Set(presence.members(channel).keys())).toEqual(expected);
    for (const user of ['anna', 'ben', 'constructor']) {
      const seen = changes.filter((it) => it[1] === channel && it[2] === user).map(([change]) => change);
      expect(seen).toEqual(seen.map((_, index) => (index % 2 === 0 ? 'added' : 'removed')));
      expect(seen.length % 2 === 1).toBe(expected.has(user));
    }
  }
}
