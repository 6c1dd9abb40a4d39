import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { phonePattern } from '#accounts/web/phone-pattern.ts';
import type { CheckoutDraft } from '#ordering/web/checkout-draft.ts';
import type { FieldErrors } from '#platform/errors.ts';
import { InputField } from '#platform/web/ui/field.tsx';

/** Who to call when the door is hard to find. */
export function CheckoutContact({
  draft,
  user,
  errors,
}: {
  draft: CheckoutDraft;
  user: User | null;
  errors: FieldErrors;
}) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <InputField
        name="contact.name"
        label={m.accounts_name()}
        autoComplete="name"
        required
        maxLength={80}
        defaultValue={draft['contact.name'] || user?.name}
        data-missing={m.accounts_name_missing()}
        errors={errors['contact.name']}
      />
      <InputField
        name="contact.phone"
        type="tel"
        label={m.accounts_phone()}
        autoComplete="tel"
        required
        pattern={phonePattern}
        defaultValue={draft['contact.phone'] || user?.phone}
        data-missing={m.accounts_phone_missing()}
        data-wrong={m.accounts_phone_wrong()}
        errors={errors['contact.phone']}
      />
      <div className="sm:col-span-2">
        <InputField
          name="contact.email"
          type="email"
          label={m.accounts_email()}
          optional={m.platform_optional()}
          hint={m.ordering_checkout_email_hint()}
          autoComplete="email"
          maxLength={120}
          defaultValue={draft['contact.email'] || user?.email}
          data-wrong={m.accounts_email_wrong()}
          errors={errors['contact.email']}
        />
      </div>
    </div>
  );
}
