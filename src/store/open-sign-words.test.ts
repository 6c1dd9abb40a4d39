import { expect, test } from 'vitest';
import type { OpenState } from '#store/opening-hours.ts';
import { detailWords, openingWords } from '#store/open-sign-words.ts';

const now = new Date('2026-11-21T13:00:00Z');
const store = { timezone: 'Europe/London', day_starts_at: '05:00' };
const shut: OpenState = { is_open: false, reason: 'closed', closes_at: null, opens_at: null, detail: null };

test.each<[string, OpenState, RegExp]>([
  ['open', { ...shut, is_open: true, reason: null, closes_at: '2026-11-21T23:00:00Z' }, /23:00/],
  ['open without end', { ...shut, is_open: true, reason: null }, /^Open$/],
  ['closed till tonight', { ...shut, opens_at: '2026-11-21T16:30:00Z' }, /today.*16:30/],
  ['closed till Monday', { ...shut, opens_at: '2026-11-23T12:00:00Z' }, /Monday.*12:00/],
  ['paused', { ...shut, reason: 'paused', opens_at: '2026-11-21T13:45:00Z' }, /13:45/],
  [
    'paused for the rest of the day',
    { ...shut, reason: 'paused', opens_at: '2026-11-22T12:00:00Z' },
    /^Closed for today, opens tomorrow at 12:00$/,
  ],
  [
    'paused for long',
    { ...shut, reason: 'paused', opens_at: '2026-11-23T12:00:00Z' },
    /^Closed for today, opens Monday at 12:00$/,
  ],
  ['not accepting', { ...shut, reason: 'not_accepting' }, /not taking orders/i],
])('%s', (_name, state, expected) => {
  expect(openingWords(state, now, store)).toMatch(expected);
});

test.each([
  ['midnight', '2026-11-21T23:45:00Z', '2026-11-22T00:15:00Z', '00:15'],
  ['the start of a trading day', '2026-11-22T04:20:00Z', '2026-11-22T05:20:00Z', '05:20'],
])('a break over %s is a short one', (_what, from, opensAt, back) => {
  const state: OpenState = { ...shut, reason: 'paused', opens_at: opensAt };
  expect(openingWords(state, new Date(from), store)).toBe(`Short break, back at ${back}`);
});

test.each(['The fryer broke', 'The fryer broke.', ' The fryer broke. '])('"%s" stands as one sentence', (words) => {
  expect(detailWords(words)).toBe('The fryer broke.');
});
