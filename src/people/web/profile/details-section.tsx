import { m } from '#messages';
import { NameField, PhoneField } from '#accounts/web/person-fields.tsx';
import type { User } from '#accounts/contract.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { changeOwnDetails } from '#people/web/profile/change-user.ts';
import { Section } from '#people/web/profile/section.tsx';
import { nameIn, textOf } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';

/** Who to ask for, and the number to call. */
export function DetailsSection({ user }: { user: User }) {
  const save = async (form: FormData) => {
    await changeOwnDetails({ name: nameIn(form, 'name'), phone: textOf(form, 'phone') });
    notify({ text: m.people_own_saved() });
  };
  return (
    <Section title={m.people_details()}>
      <AccountForm submitLabel={m.people_own_save()} onSubmit={save}>
        {(errors) => (
          <>
            <NameField name="name" defaultValue={user.name} errors={errors['name']} />
            <PhoneField
              name="phone"
              // Needed as at registering; only who came by another way in may have none.
              optional={user.phone ? undefined : m.platform_optional()}
              hint={m.accounts_phone_hint()}
              defaultValue={user.phone}
              errors={errors['phone']}
            />
          </>
        )}
      </AccountForm>
    </Section>
  );
}
