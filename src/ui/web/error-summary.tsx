import { useEffect, useRef } from 'react';
import { m } from '#messages';
import type { FieldErrors } from '#platform/errors.ts';
import { fieldId } from '#ui/web/field.tsx';

interface ErrorSummaryProps {
  message?: string | undefined;
  errors: FieldErrors;
  /** The number of submissions so far. If it has risen and there are errors, the summary gets the focus. */
  attempt: number;
}

export function ErrorSummary({ message, errors, attempt }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const entries = sortByPageOrder(Object.entries(errors));
  const hasAny = entries.length > 0 || Boolean(message);
  const focusedAt = useRef(0);
  useEffect(() => {
    if (!hasAny || focusedAt.current === attempt) return;
    focusedAt.current = attempt;
    box.current?.focus();
  }, [hasAny, attempt]);
  if (!hasAny) return null;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="rounded-box border-2 border-bad-text bg-bad-soft p-4 outline-offset-4"
    >
      <h2 className="text-lg">{entries.length > 0 ? m.platform_form_problems() : m.platform_form_failed()}</h2>
      {message && <p className="mt-1">{message}</p>}
      {entries.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {entries.map(([name, texts]) => (
            <li key={name}>
              <a
                className="link inline-flex min-h-11 items-center text-bad-text"
                href={`#${fieldId(name)}`}
                onClick={(event) => {
                  event.preventDefault();
                  focusField(name);
                }}
              >
                {texts.join(' ')}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Sorts errors by the order of their fields on the page; errors without a field come last. */
function sortByPageOrder<Entry extends readonly [name: string, ...unknown[]]>(entries: Entry[]): Entry[] {
  if (entries.length < 2) return entries;
  const places = new Map([...document.querySelectorAll('[id^="field-"]')].map(({ id }, place) => [id, place]));
  const placeOf = ([name]: Entry) => places.get(fieldId(name)) ?? places.size;
  return entries.toSorted((a, b) => placeOf(a) - placeOf(b));
}

export function focusField(name: string): void {
  const field = document.getElementById(fieldId(name));
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}
