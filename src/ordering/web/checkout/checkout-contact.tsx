import { useState } from 'react';
import { m } from '#messages';
import { EmailField, NameField, PhoneField } from '#accounts/web/account-fields.tsx';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';
import { forgetGuestDetails, readGuestDetails } from '#ordering/web/checkout/guest-details.ts';
import type { ContactFields } from '#ordering/web/checkout/checkout-field-values.ts';
import type { FieldErrors } from '#platform/errors.ts';

export function CheckoutContact({ start, errors }: { start: ContactFields; errors: FieldErrors }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <NameField name="contact.name" defaultValue={start.name} errors={errors['contact.name']} />
      <PhoneField name="contact.phone" defaultValue={start.phone} errors={errors['contact.phone']} />
      <div className="sm:col-span-2">
        <EmailField
          name="contact.email"
          optional={m.platform_optional()}
          hint={pickByMailServer(m.ordering_checkout_email_hint(), m.ordering_checkout_email_unsent())}
          maxLength={120}
          defaultValue={start.email}
          errors={errors['contact.email']}
        />
      </div>
    </div>
  );
}

export function StoredGuestDetailsNotice({ onForget }: { onForget: () => void }) {
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

/** Focuses the message, because the button that had the focus was removed. */
function takeFocus(words: HTMLElement | null): void {
  words?.focus({ preventScroll: true });
}
