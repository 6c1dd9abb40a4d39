import { expect, test } from 'vitest';
import type { OpenState } from '#store/opening-hours.ts';
import { detailWords, openingWords } from '#store/open-sign-words.ts';

const now = new Date('2026-11-21T13:00:00Z');
const shut: OpenState = { is_open: false, reason: 'closed', closes_at: null, opens_at: null, detail: null };

test.each<[string, OpenState, RegExp]>([
  ['open', { ...shut, is_open: true, reason: null, closes_at: '2026-11-21T23:00:00Z' }, /23:00/],
  ['open without end', { ...shut, is_open: true, reason: null }, /^Open$/],
  ['closed till tonight', { ...shut, opens_at: '2026-11-21T16:30:00Z' }, /today.*16:30/],
  ['closed till Monday', { ...shut, opens_at: '2026-11-23T12:00:00Z' }, /Monday.*12:00/],
  ['paused', { ...shut, reason: 'paused', opens_at: '2026-11-21T13:45:00Z' }, /13:45/],
  ['not accepting', { ...shut, reason: 'not_accepting' }, /not taking orders/i],
])('%s', (_name, state, expected) => {
  expect(openingWords(state, now, 'Europe/London')).toMatch(expected);
});

test.each(['The fryer broke', 'The fryer broke.', ' The fryer broke. '])('"%s" stands as one sentence', (words) => {
  expect(detailWords(words)).toBe('The fryer broke.');
});
