import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { parseDeviceCode, formatDeviceCode } from '#accounts/devices.ts';
import { AccountPageLayout } from '#accounts/web/account-form.tsx';
import { signInAsDevice } from '#accounts/web/sign-in-and-out.ts';
import { formFailureOf } from '#ui/web/form-errors.ts';

/**
 * The page that a device's QR code opens. Here a browser becomes an order board; the kitchen app scans the code itself.
 */
export function DevicePage() {
  const [code, setCode] = useState(codeInAddress);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setSending(true);
    setProblem(null);
    signInAsDevice(code).then(
      // The board is in another bundle than this page, so the browser loads a new page.
      () => location.assign('/kitchen'),
      (error: unknown) => {
        const { errors, message } = formFailureOf(error);
        setProblem(errors['code']?.toString() ?? message ?? m.platform_internal());
        setSending(false);
      },
    );
  };
  return (
    <AccountPageLayout title={m.accounts_device_title()} intro={<p>{m.accounts_device_intro()}</p>}>
      <form onSubmit={send} className="grid gap-4">
        <label className="grid gap-1">
          <span className="font-semibold">{m.accounts_device_code()}</span>
          <input
            className="control text-2xl tracking-widest uppercase"
            value={code}
            onChange={({ target }) => setCode(target.value)}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={20}
            aria-invalid={problem !== null}
            aria-describedby="device-problem"
          />
        </label>
        <p id="device-problem" role="alert" className="text-bad-text">
          {problem}
        </p>
        <button type="submit" className="btn btn-primary min-h-13 text-lg" disabled={isSending || code.trim() === ''}>
          {m.accounts_device_sign_in()}
        </button>
        <p className="text-ink-soft">{m.accounts_device_app_hint()}</p>
      </form>
    </AccountPageLayout>
  );
}

/**
 * Reads the device code behind `#` in the address and removes it from there, because the code works once. Empty: no
 * code.
 */
function codeInAddress(): string {
  const code = parseDeviceCode(location.hash.slice(1));
  if (code === null) return '';
  history.replaceState(null, '', location.pathname);
  return formatDeviceCode(code);
}
