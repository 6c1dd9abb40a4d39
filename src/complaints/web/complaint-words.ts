import { type ComplaintState, type ComplaintSubject, urgencyOf } from '#complaints/complaint-rules.ts';
import { m } from '#messages';

/** As staff read them. */
export const stateWords: Record<ComplaintState, () => string> = {
  new: m.complaints_state_new,
  in_progress: m.complaints_state_in_progress,
  answered: m.complaints_state_answered,
};

export const subjectWords: Record<ComplaintSubject, () => string> = {
  data: m.complaints_subject_data,
  order: m.complaints_subject_order,
  other: m.complaints_subject_other,
};

/** How much of its time is left, once that matters; null before, and when it was answered. */
export function urgencyWords(complaint: Parameters<typeof urgencyOf>[0], now: Date): string | null {
  const { kind, days } = urgencyOf(complaint, now);
  if (kind === 'none') return null;
  if (kind === 'late') return m.complaints_due_late();
  return days === 0 ? m.complaints_due_today() : m.complaints_due_soon({ days });
}
