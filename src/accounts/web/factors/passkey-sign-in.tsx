import { useState } from 'react';
import { m } from '#messages';
import { canUsePasskeys, signByPasskey } from '#accounts/web/factors/passkey-browser.ts';
import { deviceHeaders } from '#accounts/web/known-device.ts';
import { enterWith } from '#accounts/web/sign-in-and-out.ts';
import { api } from '#platform/web/api.ts';
import { failureOf } from '#ui/web/form-errors.ts';

/** The way in for staff who have a passkey; nothing where the browser has none. */
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
        const { errors, message } = failureOf(error);
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
  const response = await signByPasskey(data);
  const entrance = { timeout: 20_000, headers: deviceHeaders() };
  await enterWith(await api('POST /v1/auth/passkey-sign-in', { response }, entrance));
}
