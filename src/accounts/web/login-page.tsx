import { m } from '#messages';
import { EmailField } from '#accounts/web/person-fields.tsx';
import { SignInForm } from '#accounts/web/sign-in-form.tsx';
import { SocialButtons } from '#accounts/web/social-buttons.tsx';
import { signIn } from '#accounts/web/sign-in-and-out.ts';
import { InputField } from '#ui/web/field.tsx';
import { textOf } from '#ui/web/form-errors.ts';
import { Link } from '#platform/web/navigation.tsx';

export function LoginPage() {
  return (
    <SignInForm
      title={m.accounts_sign_in()}
      submitLabel={m.accounts_sign_in()}
      onSubmit={(form) => signIn({ email: textOf(form, 'email'), password: textOf(form, 'password') })}
      after={
        <>
          <SocialButtons isAfterForm />
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
      }
    >
      {(errors) => (
        <>
          <EmailField name="email" autoComplete="username" errors={errors['email']} />
          <InputField
            name="password"
            type="password"
            label={m.accounts_password()}
            autoComplete="current-password"
            required
            data-missing={m.accounts_password_missing()}
            errors={errors['password']}
          />
        </>
      )}
    </SignInForm>
  );
}
