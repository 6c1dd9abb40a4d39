import { m } from '#messages';
import { EmailField, NameField, PhoneField } from '#accounts/web/person-fields.tsx';
import { SignInForm } from '#accounts/web/sign-in-form.tsx';
import { NewPasswordField } from '#accounts/web/new-password-field.tsx';
import { register } from '#accounts/web/sign-in-and-out.ts';
import { SocialButtons } from '#accounts/web/social-buttons.tsx';
import { nameIn, textOf } from '#ui/web/form-errors.ts';
import { Link } from '#platform/web/navigation.tsx';

export function RegisterPage() {
  return (
    <SignInForm
      title={m.accounts_register_title()}
      intro={<p>{m.accounts_register_why()}</p>}
      submitLabel={m.accounts_register()}
      onSubmit={(form) =>
        register({
          name: nameIn(form, 'name'),
          email: textOf(form, 'email'),
          phone: textOf(form, 'phone'),
          password: textOf(form, 'password'),
        })
      }
      after={
        <>
          <SocialButtons isAfterForm />
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
