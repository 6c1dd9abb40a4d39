import { useState } from 'react';
import { m } from '#messages';
import { EmailField, NameField, PhoneField } from '#accounts/web/account-fields.tsx';
import type { User } from '#accounts/contract.ts';
import { mailPromise } from '#mail/web/mail-promise.ts';
import type { CheckoutDraft } from '#ordering/web/checkout-draft.ts';
import { readGuestDetails } from '#ordering/web/guest-details.ts';
import type { FieldErrors } from '#platform/errors.ts';

/** The customer's name and phone, for example to call when the door is hard to find. */
export function CheckoutContact({
  draft,
  user,
  errors,
}: {
  draft: CheckoutDraft;
  user: User | null;
  errors: FieldErrors;
}) {
  const [kept] = useState(() => (user ? null : readGuestDetails()));
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <NameField
        name="contact.name"
        defaultValue={draft['contact.name'] || (user ?? kept)?.name}
        errors={errors['contact.name']}
      />
      <PhoneField
        name="contact.phone"
        defaultValue={draft['contact.phone'] || (user ?? kept)?.phone}
        errors={errors['contact.phone']}
      />
      <div className="sm:col-span-2">
        <EmailField
          name="contact.email"
          optional={m.platform_optional()}
          hint={mailPromise(m.ordering_checkout_email_hint(), m.ordering_checkout_email_unsent())}
          maxLength={120}
          defaultValue={draft['contact.email'] || user?.email}
          errors={errors['contact.email']}
        />
      </div>
    </div>
  );
}
