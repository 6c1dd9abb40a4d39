import { m } from '#messages';
import { dateWords } from '#platform/date-words.ts';

/** Both local dates (YYYY-MM-DD), the first and the last. */
interface Days {
  from: string;
  to: string;
}

export interface ClosureProblem {
  index: number;
  field: 'from' | 'to';
  message: string;
}

/** What is wrong with a list of closures: one that ends before it begins, or days that are in two of them. */
export function problemsOfClosures(closures: readonly Days[]): ClosureProblem[] {
  return closures.flatMap((closure, index): ClosureProblem[] => {
    if (closure.to < closure.from) return [{ index, field: 'to', message: m.store_closure_backward() }];
    const other = closures.slice(0, index).find(({ from, to }) => from <= closure.to && closure.from <= to);
    if (!other) return [];
    return [{ index, field: 'from', message: m.store_closure_overlaps({ days: closureDays(other) }) }];
  });
}

/** `24 December 2026`, or `24 December 2026 to 26 December 2026`. */
export function closureDays({ from, to }: Days): string {
  return from === to ? dateInWords(from) : m.store_closure_days({ from: dateInWords(from), to: dateInWords(to) });
}

/** `2026-12-24` → `24 December 2026`, the same in every time zone; an incomplete date stays as typed. */
export function dateInWords(date: string): string {
  const at = `${date}T00:00:00Z`;
  return Number.isNaN(Date.parse(at)) ? date : dateWords(at, 'UTC');
}
