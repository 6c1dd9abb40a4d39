import { useEffect, useRef } from 'react';
import { m } from '#messages';
import type { FieldErrors } from '#platform/errors.ts';
import { fieldId } from '#platform/web/ui/field.tsx';

const nothing = JSON.stringify([undefined, {}]);

/** Everything that is wrong with a form, on top of it: takes the focus when it appears or changes, and leads to each field. */
export function ErrorSummary({ message, errors }: { message?: string | undefined; errors: FieldErrors }) {
  const box = useRef<HTMLDivElement>(null);
  const entries = Object.entries(errors);
  const hasAny = entries.length > 0 || Boolean(message);
  const said = JSON.stringify([message, errors]);
  useEffect(() => {
    if (said !== nothing) box.current?.focus();
  }, [said]);
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
        <ul className="mt-2 list-disc pl-5">
          {entries.map(([name, texts]) => (
            <li key={name}>
              <a
                className="link text-bad-text"
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

function focusField(name: string): void {
  const field = document.getElementById(fieldId(name));
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}
