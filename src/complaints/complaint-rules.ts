import type { ComplaintState } from '#database/column-values.ts';

const day = 24 * 60 * 60_000;
/** Within so many days a complaint must be acknowledged by law; the shop means to have answered it by then. */
export const answerDays = 30;
/** So many days before that the office warns, and the owner is told. */
export const warnDays = 7;
/** An answered complaint loses its person after so many months. */
export const retentionMonths = 36;

export function dueAt(createdAt: Date): Date {
  return new Date(createdAt.getTime() + answerDays * day);
}

/** How near the end of an open complaint's time is; `days` are whole days that are left, at least 0. */
export function urgencyOf(
  { status, due_at: due }: { status: ComplaintState; due_at: string },
  now: Date,
): { kind: 'none' | 'soon' | 'late'; days: number } {
  const left = Date.parse(due) - now.getTime();
  const days = Math.max(0, Math.floor(left / day));
  if (status === 'answered') return { kind: 'none', days };
  if (left < 0) return { kind: 'late', days: 0 };
  return { kind: days < warnDays ? 'soon' : 'none', days };
}
