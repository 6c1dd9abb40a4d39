import { useState } from 'react';
import { m } from '#messages';
import { leaveForProvider, providerName } from '#accounts/web/social.ts';
import { failureOf } from '#ui/web/form-errors.ts';

/** "Continue with …", where the shop has an OpenID provider. */
export function SocialButton() {
  const [state, setState] = useState<{ isBusy: boolean; message?: string | undefined }>({ isBusy: false });
  const name = providerName();
  if (name === null) return null;
  const go = () => {
    if (state.isBusy) return;
    setState({ isBusy: true });
    leaveForProvider().catch((error: unknown) => setState({ isBusy: false, message: failureOf(error).message }));
  };
  return (
    <div className="grid gap-3">
      <button type="button" className="btn btn-quiet min-h-13 text-lg" aria-disabled={state.isBusy} onClick={go}>
        {m.accounts_social_continue({ name })}
      </button>
      {state.message && (
        <p role="alert" className="font-semibold text-bad-text">
          {state.message}
        </p>
      )}
    </div>
  );
}
