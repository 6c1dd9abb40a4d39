import { expect, test } from 'vitest';
import { complaintDueAt, complaintUrgency } from '#complaints/complaint-rules.ts';

const came = new Date('2026-11-21T18:00:00Z');
const due_at = complaintDueAt(came).toISOString();

test.each([
  ['at once', '2026-11-21T18:00:00Z', 'new', { kind: 'none', days: 30 }],
  ['a minute before its last week', '2026-12-14T17:59:00Z', 'new', { kind: 'none', days: 7 }],
  ['in its last week', '2026-12-14T18:01:00Z', 'in_progress', { kind: 'soon', days: 6 }],
  ['on its last day', '2026-12-21T12:00:00Z', 'new', { kind: 'soon', days: 0 }],
  ['after it', '2026-12-21T18:00:01Z', 'in_progress', { kind: 'late', days: 0 }],
  ['once it was answered', '2027-02-01T00:00:00Z', 'answered', { kind: 'none', days: 0 }],
] as const)('%s', (_, now, status, urgency) => {
  expect(complaintUrgency({ status, due_at }, new Date(now))).toEqual(urgency);
});
