import type { ComplaintState } from '#database/column-values.ts';

const day = 24 * 60 * 60_000;
/**
 * The days within which the shop promises to answer a complaint. The law sets this limit only for the acknowledgement.
 */
export const complaintAnswerDays = 30;
/** This many days before the deadline, the office warns of the complaint and the owner is alerted. */
export const complaintWarningDays = 7;
/** Months after which the sender of an answered complaint is erased. */
export const complaintRetentionMonths = 36;

export function complaintDueAt(createdAt: Date): Date {
  return new Date(createdAt.getTime() + complaintAnswerDays * day);
}

/** Returns how urgent a complaint's answer is. `days` counts the whole days left, at least 0. */
export function complaintUrgency(
  { status, due_at: due }: { status: ComplaintState; due_at: string },
  now: Date,
): { kind: 'none' | 'soon' | 'late'; days: number } {
  const left = Date.parse(due) - now.getTime();
  const days = Math.max(0, Math.floor(left / day));
  if (status === 'answered') return { kind: 'none', days };
  if (left < 0) return { kind: 'late', days: 0 };
  return { kind: days < complaintWarningDays ? 'soon' : 'none', days };
}
