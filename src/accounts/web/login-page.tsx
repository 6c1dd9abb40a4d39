import { useContext, useEffect, useState } from 'react';
import { m } from '#messages';
import { SignInLeadsToOfficeContext } from '#accounts/web/sign-in-return-path.ts';
import {
  deviceHeaders,
  completeSignIn,
  hadStaffSignIn,
  registerCustomer,
  signIn,
} from '#accounts/web/sign-in-and-out.ts';
import { EmailField, NameField, NewPasswordField, PasswordField, PhoneField } from '#accounts/web/account-fields.tsx';
import { SignInForm } from '#accounts/web/sign-in-form.tsx';
import { SocialSignInButtons } from '#accounts/web/provider-sign-in.tsx';
import { api, ApiError } from '#platform/web/api.ts';
import { focusField } from '#ui/web/error-summary.tsx';
import { InputField } from '#ui/web/field.tsx';
import { formFailureOf, formFieldPlainText, formFieldText } from '#ui/web/form-errors.ts';
import { Link } from '#platform/web/navigation.tsx';
import { canUsePasskeys, signWithPasskey } from '#accounts/web/factors/passkey-browser.ts';

export function LoginPage() {
  /** Whether the password was right and the account needs a second factor. */
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const [isForSetUp] = useState(() => new URLSearchParams(location.search).get('for') === 'set-up');
  const submit = (form: FormData) => {
    const code = formFieldText(form, 'one_time_code').trim();
    const credentials = { email: formFieldText(form, 'email'), password: formFieldText(form, 'password') };
    return signIn({ ...credentials, ...(code !== '' && { one_time_code: code }) }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'second_factor_required')) throw error;
      setCodeNeeded(true);
    });
  };
  return (
    <SignInForm
      title={m.accounts_sign_in()}
      intro={isForSetUp && <p>{m.accounts_setup_sign_in()}</p>}
      submitLabel={m.accounts_sign_in()}
      onSubmit={submit}
      after={<OtherWaysToSignIn isOfStaff={isCodeNeeded} />}
    >
      {(errors) => (
        <>
          <EmailField name="email" autoComplete="username" errors={errors['email']} />
          <PasswordField
            name="password"
            label={m.accounts_password()}
            autoComplete="current-password"
            errors={errors['password']}
          />
          {isCodeNeeded && <CodeField errors={errors['one_time_code']} />}
        </>
      )}
    </SignInForm>
  );
}

function CodeField({ errors }: { errors: readonly string[] | undefined }) {
  useEffect(() => focusField('one_time_code'), []);
  return (
    <div className="grid gap-3">
      <p role="status" className="rounded-box bg-sunken p-4">
        {m.accounts_code_needed()}
      </p>
      <InputField
        name="one_time_code"
        label={m.accounts_code()}
        hint={m.accounts_code_hint()}
        autoComplete="one-time-code"
        required
        maxLength={20}
        data-missing={m.accounts_code_missing()}
        errors={errors}
      />
    </div>
  );
}

/**
 * Links to other sign-in methods, to the page for a forgotten password, and to registration. Only staff are offered
 * passkeys.
 */
function OtherWaysToSignIn({ isOfStaff }: { isOfStaff: boolean }) {
  const isOfficeNext = useContext(SignInLeadsToOfficeContext);
  const [hasStaff] = useState(hadStaffSignIn);
  return (
    <>
      <SocialSignInButtons isAfterForm />
      {(isOfStaff || isOfficeNext || hasStaff) && <PasskeySignIn />}
      <p>
        <Link href="/forgot-password" className="link inline-flex min-h-11 items-center">
          {m.accounts_forgot_title()}
        </Link>
        <br />
        {m.accounts_no_account()}{' '}
        <Link href="/register" className="link inline-flex min-h-11 items-center">
          {m.accounts_register()}
        </Link>
      </p>
    </>
  );
}

/** The button by which staff sign in with a passkey; nothing if the browser supports none. */
export function PasskeySignIn() {
  const [words, setWords] = useState('');
  const [isBusy, setBusy] = useState(false);
  if (!canUsePasskeys()) return null;
  const begin = () => {
    if (isBusy) return;
    setBusy(true);
    setWords('');
    enterByPasskey()
      .catch((error: unknown) => {
        const { errors, message } = formFailureOf(error);
        setWords(errors['response']?.[0] ?? message ?? m.platform_internal());
      })
      .finally(() => setBusy(false));
  };
  return (
    <div className="grid gap-2">
      <button type="button" className="btn btn-quiet min-h-13" aria-disabled={isBusy} onClick={begin}>
        {m.accounts_passkey_sign_in()}
      </button>
      {words !== '' && (
        <p role="alert" className="text-bad-text">
          {words}
        </p>
      )}
    </div>
  );
}

async function enterByPasskey(): Promise<void> {
  const { data } = await api('POST /v1/auth/passkey-sign-in/begin', {}, { timeout: 20_000 });
  const response = await signWithPasskey(data);
  const entrance = { timeout: 20_000, headers: deviceHeaders() };
  await completeSignIn(await api('POST /v1/auth/passkey-sign-in', { response }, entrance));
}

export function RegisterPage() {
  return (
    <SignInForm
      title={m.accounts_register_title()}
      intro={<p>{m.accounts_register_why()}</p>}
      submitLabel={m.accounts_register()}
      onSubmit={(form) =>
        registerCustomer({
          name: formFieldPlainText(form, 'name'),
          email: formFieldText(form, 'email'),
          phone: formFieldText(form, 'phone'),
          password: formFieldText(form, 'password'),
        })
      }
      after={
        <>
          <SocialSignInButtons isAfterForm />
          <p>
            {m.accounts_have_account()}{' '}
            <Link href="/login" className="link inline-flex min-h-11 items-center">
              {m.accounts_sign_in()}
            </Link>
          </p>
        </>
      }
    >
      {(errors) => (
        <>
          <NameField name="name" errors={errors['name']} />
          <EmailField name="email" errors={errors['email']} />
          <PhoneField name="phone" hint={m.accounts_phone_hint()} errors={errors['phone']} />
          <NewPasswordField name="password" errors={errors['password']} />
        </>
      )}
    </SignInForm>
  );
}
