import { describe, expect, test } from 'vitest';
import { createPollIntervals, createDueJobCache } from '#printing/server/printer-cache.ts';

const at = (time: string) => new Date(`2026-11-21T${time}Z`);

test('until the database was asked, any printer may have a job', () => {
  const jobs = createDueJobCache();
  expect(jobs.mayHave('a', at('18:00'))).toBe(true);
  jobs.learnAll(new Map(), jobs.moment());
  expect(jobs.mayHave('a', at('18:00'))).toBe(false);
});

test('a job waits from its time on', () => {
  const jobs = createDueJobCache();
  jobs.learnAll(new Map([['a', at('18:30')]]), jobs.moment());
  expect([at('18:29'), at('18:30'), at('19:00')].map((now) => jobs.mayHave('a', now))).toEqual([false, true, true]);
  expect(jobs.mayHave('b', at('19:00'))).toBe(false);
});

test('what happens while the database is asked is not forgotten', () => {
  const jobs = createDueJobCache();
  jobs.learnAll(new Map(), jobs.moment());
  const before = jobs.moment();
  jobs.disturb('a');
  jobs.learn('a', null, before);
  expect(jobs.mayHave('a', at('18:00'))).toBe(true);
  jobs.learnAll(new Map(), before);
  expect(jobs.mayHave('a', at('18:00'))).toBe(true);
  jobs.learn('a', null, jobs.moment());
  expect(jobs.mayHave('a', at('18:00'))).toBe(false);
});

test('after a gap in the notifications every printer may have a job, also what was learnt before it', () => {
  const jobs = createDueJobCache();
  const before = jobs.moment();
  jobs.learnAll(new Map(), before);
  jobs.disturbAll();
  jobs.learnAll(new Map(), before);
  jobs.learn('a', null, jobs.moment());
  expect(['a', 'b'].map((id) => jobs.mayHave(id, at('18:00')))).toEqual([true, true]);
  jobs.learnAll(new Map(), jobs.moment());
  expect(['a', 'b'].map((id) => jobs.mayHave(id, at('18:00')))).toEqual([false, false]);
});

test('an older answer of the database does not replace a newer one that came first', () => {
  const jobs = createDueJobCache();
  jobs.learnAll(new Map(), jobs.moment());
  const early = jobs.moment();
  jobs.disturb('a');
  jobs.learn('a', at('18:00'), jobs.moment());
  jobs.learn('a', null, early);
  expect(jobs.mayHave('a', at('18:00'))).toBe(true);
  jobs.learnAll(new Map(), early);
  expect(jobs.mayHave('a', at('18:00'))).toBe(true);
  jobs.learnAll(new Map(), jobs.moment());
  expect(jobs.mayHave('a', at('18:00'))).toBe(false);
  jobs.learn('a', at('18:00'), early);
  expect(jobs.mayHave('a', at('18:00'))).toBe(false);
});

/** The learned interval after polls with these gaps; `busy` ones got a job. */
function after(gaps: (number | 'busy')[], { stored = null as number | null, said = null as number | null } = {}) {
  const intervals = createPollIntervals();
  const printer = { id: 'kitchen', poll_seconds: stored };
  let at = 0;
  if (said !== null) intervals.said(printer, said);
  let known = intervals.polled(printer, new Date(at), true);
  for (const [index, gap] of gaps.entries()) {
    if (gap === 'busy') continue;
    at += gap * 1000;
    known = intervals.polled(printer, new Date(at), gaps[index + 1] !== 'busy');
  }
  return known;
}

describe('how often a printer polls', () => {
  test.each([
    ['is not known after one poll', after([]), null],
    ['is what lies between the first two', after([40]), 40],
    ['is as it said', after([], { said: 60 }), 60],
    ['is less often than it said, when two gaps in turn are longer', after([40, 40], { said: 5 }), 40],
    ['stays, when one poll was lost', after([10, 5, 10, 5], { said: 5 }), 5],
    ['stays through an outage', after([5, 3600, 5], { stored: 5 }), 5],
    ['stays, when the polls come a little late', after([5.8, 5.9, 5.7], { stored: 5 }), 5],
    ['is what was known at the last start', after([40], { stored: 40 }), 40],
    ['is more often, when three gaps in turn are shorter', after([5, 5, 5], { stored: 40 }), 5],
    ['stays at two shorter ones', after([5, 5], { stored: 40 }), 40],
    ['is never more often than it said', after([5, 5, 5, 5], { said: 40 }), 40],
    ['does not count the time in which it prints', after([5, 'busy', 12, 'busy', 14, 'busy', 13], { stored: 5 }), 5],
    ['does not count a question that is repeated at once', after([0, 40, 0.2, 39.9], { stored: 40 }), 40],
  ])('%s', (_, known, expected) => {
    expect(known).toBe(expected);
  });
});
