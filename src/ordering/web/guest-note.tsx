import { useState } from 'react';
import { m } from '#messages';
import { forgetGuestDetails, readGuestDetails } from '#ordering/web/guest-details.ts';

/** This device's data about a guest, and how to delete it. */
export function GuestNote({ onForget }: { onForget: () => void }) {
  const [state, setState] = useState<'none' | 'kept' | 'forgotten'>(() => (readGuestDetails() ? 'kept' : 'none'));
  const forget = () => {
    forgetGuestDetails();
    setState('forgotten');
    onForget();
  };
  return (
    <div className="text-sm text-ink-soft">
      <p role="status" tabIndex={-1} ref={state === 'forgotten' ? takeFocus : null} className="outline-none">
        {state === 'forgotten' ? m.ordering_guest_forgotten() : m.ordering_guest_kept()}
      </p>
      {state === 'kept' && (
        <button type="button" className="link min-h-11" onClick={forget}>
          {m.ordering_guest_forget()}
        </button>
      )}
    </div>
  );
}

/** The button with the focus is gone. */
function takeFocus(words: HTMLElement | null): void {
  words?.focus({ preventScroll: true });
}
