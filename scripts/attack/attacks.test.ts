import { describe, expect, test } from 'vitest';
import type { AnswerCounts } from './attackers.ts';
import { attackers } from './attackers.ts';
import { attacks, type AttackMeasurement, attackTableRow, attackTableHead, failureReason } from './attacks.ts';

/** What a shop that defends itself gives away, and what one without that defence would. */
const outcomes: Record<keyof typeof attackers, { good: AnswerCounts; bad: AnswerCounts }> = {
  lists: { good: { 200: 256 }, bad: { 200: 250, 503: 6 } },
  pages: { good: { 200: 800 }, bad: { 200: 790, 500: 10 } },
  quotes: { good: { 200: 390, 429: 1_210 }, bad: { 200: 1_600 } },
  problems: { good: { 200: 380, 429: 20 }, bad: { 200: 300, 500: 100 } },
  nested: { good: { 422: 400 }, bad: { 422: 399, 500: 1 } },
  orders: { good: { 201: 5, 429: 475 }, bad: { 201: 6, 429: 474 } },
  cards: { good: { 201: 6, 429: 74 }, bad: { 201: 7, 429: 73 } },
  forged: { good: { 201: 30, 429: 130 }, bad: { 201: 31, 429: 129 } },
  sockets: { good: { opened: 1_000, kept: 200 }, bad: { opened: 1_000, kept: 201 } },
  channels: {
    good: { opened: 190, kept: 190, subscribed: 1_900 },
    bad: { opened: 190, kept: 190, subscribed: 19_000 },
  },
  heads: { good: { opened: 1_000, 408: 1_000, kept: 0 }, bad: { opened: 1_000, 408: 999, kept: 1 } },
  bodies: { good: { opened: 500, 408: 500, kept: 0 }, bad: { opened: 500, 408: 499, kept: 1 } },
  endless: { good: { opened: 100, 413: 100, kept: 0 }, bad: { opened: 100, kept: 100 } },
  uploads: { good: { opened: 100, 401: 100, kept: 0 }, bad: { opened: 100, 201: 100, kept: 0 } },
  readers: { good: { opened: 300, kept: 0 }, bad: { opened: 300, kept: 300 } },
  pipelines: { good: { opened: 300, kept: 0 }, bad: { opened: 300, 200: 300, kept: 300 } },
  bombs: { good: { 415: 160 }, bad: { 413: 159, 201: 1 } },
  hosts: { good: { opened: 200, 400: 200, kept: 0 }, bad: { opened: 200, 200: 200, kept: 0 } },
  passwords: { good: { 422: 10, 429: 150 }, bad: { 422: 160 } },
  bursts: { good: { 422: 40, 429: 140 }, bad: { 422: 180 } },
  resets: { good: { 200: 5, 429: 155 }, bad: { 200: 160 } },
  botnet: { good: { 422: 190, 429: 110 }, bad: { 422: 300 } },
};

const measured = (name: string, got: AnswerCounts): AttackMeasurement => {
  const attack = attacks.find((one) => one.name === name);
  if (!attack) throw new Error(`There is no line for ${name}.`);
  return { attack, got, quiet: 6, under: 7, late: 3, lost: 0, memory: 1 };
};

test('each attack has its line', () => {
  expect(attacks.map(({ name }) => name).toSorted()).toEqual(Object.keys(attackers).toSorted());
});

describe.each(Object.entries(outcomes))('%s', (name, { good, bad }) => {
  test('is green for a shop that defends itself', () => expect(failureReason(measured(name, good))).toBeNull());
  test('is red for one that does not', () => expect(failureReason(measured(name, bad))).not.toBeNull());
  test('is red when the attack did not reach the shop', () => {
    expect(failureReason(measured(name, {}))).not.toBeNull();
    const cut = Object.values(good).reduce((sum, times) => sum + times, 0);
    expect(failureReason(measured(name, { cut }))).not.toBeNull();
  });
});

test.each<[string, Partial<AttackMeasurement>]>([
  ['orders take more than twice their quiet time', { under: 12.1 }],
  ['no order was measured', { under: Number.NaN }],
  ['the event loop is late', { late: 20.1 }],
  ['a customer was refused', { lost: 1 }],
])('a line is red when %s', (_case, change) => {
  expect(failureReason({ ...measured('lists', outcomes.lists.good), ...change })).not.toBeNull();
});

test('a line has as many cells as the head of the table', () => {
  const cells = (row: string) => row.split('|').length;
  const [head = '', rule = ''] = attackTableHead.split('\n');
  expect(cells(rule)).toBe(cells(head));
  for (const { name } of attacks) expect(cells(attackTableRow(measured(name, outcomes[name].good)))).toBe(cells(head));
});
