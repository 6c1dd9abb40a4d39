import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { phonePattern } from '#accounts/web/phone-pattern.ts';
import { changeOwnDetails } from '#accounts/web/profile/change-user.ts';
import { Section } from '#accounts/web/profile/section.tsx';
import { InputField } from '#platform/web/ui/field.tsx';
import { textOf } from '#platform/web/ui/form-errors.ts';
import { notify } from '#platform/web/ui/notices.tsx';

/** Who to ask for, and the number to call. */
export function DetailsSection({ user }: { user: User }) {
  const save = async (form: FormData) => {
    await changeOwnDetails({ name: textOf(form, 'name'), phone: textOf(form, 'phone') });
    notify(m.accounts_saved());
  };
  return (
    <Section title={m.accounts_details()}>
      <AccountForm submitLabel={m.accounts_save()} onSubmit={save}>
        {(errors) => (
          <>
            <InputField
              name="name"
              label={m.accounts_name()}
              autoComplete="name"
              required
              maxLength={80}
              defaultValue={user.name}
              data-missing={m.accounts_name_missing()}
              errors={errors['name']}
            />
            <InputField
              name="phone"
              type="tel"
              label={m.accounts_phone()}
              optional={m.platform_optional()}
              hint={m.accounts_phone_hint()}
              autoComplete="tel"
              pattern={phonePattern}
              defaultValue={user.phone}
              data-wrong={m.accounts_phone_wrong()}
              errors={errors['phone']}
            />
          </>
        )}
      </AccountForm>
    </Section>
  );
}
