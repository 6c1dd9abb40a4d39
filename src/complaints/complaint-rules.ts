import type { ComplaintState } from '#database/column-values.ts';

const day = 24 * 60 * 60_000;
/** Within this many days the law requires an acknowledgement, and the shop wants to answer. */
export const answerDays = 30;
/** This many days before the deadline the office warns and the owner is alerted. */
export const warnDays = 7;
/** Months after which the person is erased from an answered complaint. */
export const retentionMonths = 36;

export function answerDueAt(createdAt: Date): Date {
  return new Date(createdAt.getTime() + answerDays * day);
}

/** How urgent the answer to a complaint is; `days`: whole days left, at least 0. */
export function complaintUrgency(
  { status, due_at: due }: { status: ComplaintState; due_at: string },
  now: Date,
): { kind: 'none' | 'soon' | 'late'; days: number } {
  const left = Date.parse(due) - now.getTime();
  const days = Math.max(0, Math.floor(left / day));
  if (status === 'answered') return { kind: 'none', days };
  if (left < 0) return { kind: 'late', days: 0 };
  return { kind: days < warnDays ? 'soon' : 'none', days };
}
