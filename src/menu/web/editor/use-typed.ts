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
  /** Told of each value while it is typed; undefined when it cannot be read, and at the end. */
  onTyped?: ((value: T | undefined) => void) | undefined;
}

/** `was` is the value when the person began: others may change it before they leave the field. */
interface Draft<T> {
  text: string;
  was: T;
  isRefused: boolean;
}

/**
 * A field that is saved when it is left or Enter is pressed; Escape restores the old value. An invalid value
 * keeps the field open on Enter, with its error; after leaving the field a notice says that the old value stays.
 */
export function useTyped<T>({ value, shown, read, onCommit, onDone, onTyped }: Typing<T>) {
  const [draft, setDraft] = useState<Draft<T> | null>(null);
  // The focus goes within the same key press, before the next render.
  const latest = useRef<Draft<T> | null>(null);
  const change = (next: Draft<T> | null): void => {
    latest.current = next;
    setDraft(next);
    const reading = next && onTyped ? read(next.text) : null;
    onTyped?.(reading && 'value' in reading ? reading.value : undefined);
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

/** A field within a line disappears with its focus: then the line has the focus, not the page. */
function giveFocusBack(field: HTMLElement): void {
  const line = field.closest<HTMLElement>('[role=row]');
  if (line) line.focus();
  else field.blur();
}
