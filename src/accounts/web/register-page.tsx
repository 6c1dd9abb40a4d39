import { m } from '#messages';
import { Entrance } from '#accounts/web/entrance.tsx';
import { NewPasswordField } from '#accounts/web/new-password-field.tsx';
import { phonePattern } from '#accounts/web/phone-pattern.ts';
import { register } from '#accounts/web/session.ts';
import { SocialButton } from '#accounts/web/social-button.tsx';
import { InputField } from '#platform/web/ui/field.tsx';
import { textOf } from '#platform/web/ui/form-errors.ts';
import { Link } from '#platform/web/navigation.tsx';

export function RegisterPage() {
  return (
    <Entrance
      title={m.accounts_register_title()}
      intro={<p>{m.accounts_register_why()}</p>}
      submitLabel={m.accounts_register()}
      onSubmit={(form) =>
        register({
          name: textOf(form, 'name'),
          email: textOf(form, 'email'),
          phone: textOf(form, 'phone'),
          password: textOf(form, 'password'),
        })
      }
      after={
        <>
          <SocialButton />
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
          <InputField
            name="name"
            label={m.accounts_name()}
            autoComplete="name"
            required
            maxLength={80}
            data-missing={m.accounts_name_missing()}
            errors={errors['name']}
          />
          <InputField
            name="email"
            type="email"
            label={m.accounts_email()}
            autoComplete="email"
            required
            data-missing={m.accounts_email_missing()}
            data-wrong={m.accounts_email_wrong()}
            errors={errors['email']}
          />
          <InputField
            name="phone"
            type="tel"
            label={m.accounts_phone()}
            hint={m.accounts_phone_hint()}
            autoComplete="tel"
            required
            pattern={phonePattern}
            data-missing={m.accounts_phone_missing()}
            data-wrong={m.accounts_phone_wrong()}
            errors={errors['phone']}
          />
          <NewPasswordField name="password" errors={errors['password']} />
        </>
      )}
    </Entrance>
  );
}
