import { type KeyboardEvent, useRef, useState } from 'react';
import type { Reading } from '#menu/web/editor/field-reading.ts';
import { notify } from '#ui/web/notify.ts';

interface Typing<T> {
  value: T;
  /** How the value is written in the field. */
  shown: string;
  read: (text: string) => Reading<T>;
  onCommit: (value: T, was: T) => void;
  onDone: (() => void) | undefined;
}

/** `was` stood there as the person began: others may change it before they leave the field. */
interface Draft<T> {
  text: string;
  was: T;
  isRefused: boolean;
}

/**
 * A field that is saved when one leaves it or presses Enter; Escape puts back what was there. What cannot be taken
 * keeps the field open on Enter, with its error; whoever leaves it so is told that the old value stays.
 */
export function useTyped<T>({ value, shown, read, onCommit, onDone }: Typing<T>) {
  const [draft, setDraft] = useState<Draft<T> | null>(null);
  // The focus goes within the same key press, before the next render.
  const latest = useRef<Draft<T> | null>(null);
  const change = (next: Draft<T> | null): void => {
    latest.current = next;
    setDraft(next);
  };
  const leave = (): void => {
    const left = latest.current;
    change(null);
    const reading = left && read(left.text);
    if (left && reading) {
      if ('problem' in reading) notify({ text: reading.left, tone: 'bad' });
      else if (reading.value !== value && reading.value !== left.was) onCommit(reading.value, left.was);
    }
    onDone?.();
  };
  const problem = draft?.isRefused && read(draft.text);
  return {
    value: draft?.text ?? shown,
    error: problem && 'problem' in problem ? problem.problem : undefined,
    type(text: string): void {
      const begun = latest.current;
      change({ text, was: begun ? begun.was : value, isRefused: begun?.isRefused ?? false });
    },
    onBlur: leave,
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
      event.stopPropagation();
      if (event.key === 'Escape') {
        change(null);
        if (onDone) giveFocusBack(event.currentTarget);
      }
      if (event.key !== 'Enter') return;
      const typed = latest.current;
      const reading = typed && read(typed.text);
      if (typed && reading && 'problem' in reading) change({ ...typed, isRefused: true });
      else giveFocusBack(event.currentTarget);
    },
  };
}

/** A field within a line goes away with its focus: the line has it then, not the page. */
function giveFocusBack(field: HTMLElement): void {
  const line = field.closest<HTMLElement>('[role=row]');
  if (line) line.focus();
  else field.blur();
}
