import { expect, test } from 'vitest';
import { createWaitingJobs } from '#printing/server/waiting-jobs.ts';

const at = (time: string) => new Date(`2026-11-21T${time}Z`);

test('until the database was asked, any printer may have a job', () => {
  const jobs = createWaitingJobs();
  expect(jobs.mayHave('a', at('18:00'))).toBe(true);
  jobs.learnAll(new Map(), jobs.moment());
  expect(jobs.mayHave('a', at('18:00'))).toBe(false);
});

test('a job waits from its time on', () => {
  const jobs = createWaitingJobs();
  jobs.learnAll(new Map([['a', at('18:30')]]), jobs.moment());
  expect([at('18:29'), at('18:30'), at('19:00')].map((now) => jobs.mayHave('a', now))).toEqual([false, true, true]);
  expect(jobs.mayHave('b', at('19:00'))).toBe(false);
});

test('what happens while the database is asked is not forgotten', () => {
  const jobs = createWaitingJobs();
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
  const jobs = createWaitingJobs();
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
  const jobs = createWaitingJobs();
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
