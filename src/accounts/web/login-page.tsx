import { useContext, useEffect, useState } from 'react';
import { m } from '#messages';
import { LeadsToOffice } from '#accounts/web/after-sign-in.ts';
import { PasskeySignIn } from '#accounts/web/factors/passkey-sign-in.tsx';
import { hasSeenStaff } from '#accounts/web/known-device.ts';
import { EmailField } from '#accounts/web/person-fields.tsx';
import { PasswordField } from '#accounts/web/password-field.tsx';
import { SignInForm } from '#accounts/web/sign-in-form.tsx';
import { SocialButtons } from '#accounts/web/social-buttons.tsx';
import { signIn } from '#accounts/web/sign-in-and-out.ts';
import { ApiError } from '#platform/web/api.ts';
import { focusField } from '#ui/web/error-summary.tsx';
import { InputField } from '#ui/web/field.tsx';
import { textOf } from '#ui/web/form-errors.ts';
import { Link } from '#platform/web/navigation.tsx';

export function LoginPage() {
  /** The password was right, and the account asks for one more thing. */
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const submit = (form: FormData) => {
    const code = textOf(form, 'one_time_code').trim();
    const credentials = { email: textOf(form, 'email'), password: textOf(form, 'password') };
    return signIn({ ...credentials, ...(code !== '' && { one_time_code: code }) }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'second_factor_required')) throw error;
      setCodeNeeded(true);
    });
  };
  return (
    <SignInForm
      title={m.accounts_sign_in()}
      submitLabel={m.accounts_sign_in()}
      onSubmit={submit}
      after={<Others isOfStaff={isCodeNeeded} />}
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

/** Asks for the account's second factor; it takes the focus when it appears. */
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

/** The other ways in, and the way to an account. Passkeys are for staff: customers hear nothing of them. */
function Others({ isOfStaff }: { isOfStaff: boolean }) {
  const isOfficeNext = useContext(LeadsToOffice);
  const [hasStaff] = useState(hasSeenStaff);
  return (
    <>
      <SocialButtons isAfterForm />
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
