import { describe, expect, test } from 'vitest';
import { createPollIntervals } from '#printing/server/poll-intervals.ts';

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
