import { useState } from 'react';
import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { OwnPasswordField } from '#people/web/profile/own-password-field.tsx';
import { Section } from '#people/web/profile/section.tsx';
import { leave } from '#accounts/web/sign-in-and-out.ts';
import { api } from '#platform/web/api.ts';
import { navigate } from '#platform/web/navigation.tsx';
import { failureOf, textOf } from '#ui/web/form-errors.ts';
import { Icon } from '#ui/web/icon.tsx';
import { notify } from '#ui/web/notify.ts';
import { jsonFile, saveFile } from '#ui/web/save-file.ts';

/** Everything the shop keeps about the person, as a file. */
export function DownloadSection() {
  const [isBusy, setBusy] = useState(false);
  const download = () => {
    if (isBusy) return;
    setBusy(true);
    api('GET /v1/auth/user/export', {}, { timeout: 60_000 })
      .then(({ data }) => saveFile(jsonFile(data), 'my-data.json'))
      .catch((error: unknown) => notify({ text: failureOf(error).message ?? m.platform_internal() }))
      .finally(() => setBusy(false));
  };
  return (
    <Section title={m.people_data()} hint={m.people_data_hint()}>
      <div>
        <button type="button" className="btn btn-quiet" aria-disabled={isBusy} onClick={download}>
          {m.people_data_download()}
        </button>
      </div>
    </Section>
  );
}

/** The end of the account, after a warning and a confirmation. */
export function DeleteSection({ user }: { user: User }) {
  const [isAsked, setAsked] = useState(false);
  const remove = async (form: FormData) => {
    const body = user.has_password ? { password: textOf(form, 'delete.password') } : {};
    await api('DELETE /v1/auth/user', body, { timeout: 20_000 });
    leave();
    notify({ text: m.people_deleted() });
    navigate('/');
  };
  return (
    <Section title={m.people_delete()} hint={m.people_delete_hint()}>
      {!isAsked && (
        <div>
          <button type="button" className="btn btn-danger" onClick={() => setAsked(true)}>
            {m.people_delete()}
          </button>
        </div>
      )}
      {isAsked && (
        <AccountForm
          prefix="delete."
          tone="danger"
          submitLabel={m.people_delete_submit()}
          onSubmit={remove}
          onCancel={() => setAsked(false)}
        >
          {(errors) => (
            <>
              <p className="flex items-start gap-2 rounded-box bg-bad-soft p-3 font-semibold text-bad-text">
                <Icon name="warning" className="mt-0.5 size-5" />
                {m.people_delete_warning()}
              </p>
              <OwnPasswordField user={user} name="delete.password" errors={errors['delete.password']} />
            </>
          )}
        </AccountForm>
      )}
    </Section>
  );
}
