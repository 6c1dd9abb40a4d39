import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { EmailField, NameField, NewPasswordField } from '#accounts/web/account-fields.tsx';
import { SignInForm } from '#accounts/web/sign-in-form.tsx';
import { useSession } from '#accounts/web/session.ts';
import { setUpShop } from '#accounts/web/sign-in-and-out.ts';
import { saveSignInReturnPath } from '#accounts/web/sign-in-return-path.ts';
import { api } from '#platform/web/api.ts';
import { InputField } from '#ui/web/field.tsx';
import { formFieldPlainText, formFieldText } from '#ui/web/form-errors.ts';
import { LoadingSkeleton, LoadFailure } from '#ui/web/load-states.tsx';
import { Link, navigate } from '#platform/web/navigation.tsx';

export function SetupPage() {
  const state = useQuery({
    queryKey: ['setup'],
    queryFn: async () => (await api('GET /v1/setup', {})).data,
    staleTime: Infinity,
  });
  if (state.isPending) return <LoadingSkeleton />;
  if (state.isError) return <LoadFailure error={state.error} onRetry={() => void state.refetch()} />;
  if (!state.data.is_needed) return <AlreadySetUp onHome={() => navigate('/')} />;

  return (
    <SignInForm
      title={m.accounts_setup_title()}
      intro={<p>{m.accounts_setup_intro()}</p>}
      submitLabel={m.accounts_setup_submit()}
      onSubmit={openShop}
    >
      {(errors) => (
        <>
          <InputField
            name="code"
            label={m.accounts_setup_code()}
            hint={m.accounts_setup_code_hint()}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            required
            maxLength={20}
            data-missing={m.accounts_code_missing()}
            errors={errors['code']}
          />
          <h2 className="text-xl">{m.accounts_setup_shop()}</h2>
          <InputField
            name="store.name"
            label={m.accounts_setup_shop_name()}
            autoComplete="organization"
            required
            maxLength={80}
            data-missing={m.accounts_setup_shop_name_missing()}
            errors={errors['store.name']}
          />
          <h2 className="mt-4 text-xl">{m.accounts_setup_owner()}</h2>
          <NameField name="owner.name" errors={errors['owner.name']} />
          <EmailField name="owner.email" errors={errors['owner.email']} />
          <NewPasswordField name="owner.password" errors={errors['owner.password']} />
        </>
      )}
    </SignInForm>
  );
}

function AlreadySetUp({ onHome }: { onHome: () => void }) {
  const { role } = useSession();
  const isSignedIn = role !== 'guest';
  const isOwner = role === 'admin';
  return (
    <div className="mx-auto grid max-w-md justify-items-start gap-4 px-4 py-16">
      <h1 className="text-3xl">{m.accounts_setup_done()}</h1>
      {!isSignedIn && <p className="text-ink-soft">{m.accounts_setup_sign_in()}</p>}
      <div className="flex flex-wrap gap-3">
        {isOwner && (
          <a href="/admin/set-up" className="btn btn-primary">
            {m.accounts_setup_continue()}
          </a>
        )}
        {!isSignedIn && (
          <Link href="/login" className="btn btn-primary">
            {m.accounts_sign_in()}
          </Link>
        )}
        <button type="button" className="btn btn-quiet" onClick={onHome}>
          {m.platform_home()}
        </button>
      </div>
    </div>
  );
}

async function openShop(form: FormData): Promise<void> {
  saveSignInReturnPath('/admin/set-up');
  await setUpShop({
    code: formFieldText(form, 'code'),
    owner: {
      name: formFieldPlainText(form, 'owner.name'),
      email: formFieldText(form, 'owner.email'),
      password: formFieldText(form, 'owner.password'),
    },
    store: { name: formFieldText(form, 'store.name') },
  });
}
