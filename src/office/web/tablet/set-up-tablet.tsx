import { Button, MantineProvider, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import classes from '#office/web/tablet/tablet.module.css';
import {
  readTabletCode,
  type SignedTablet,
  signInTablet,
  type TabletCode,
  typedCode,
} from '#office/web/tablet/sign-in-tablet.ts';
import { mantineVariables, theme } from '#office/web/theme.ts';
import { failureOf } from '#ui/web/form-errors.ts';

interface SetUpProps {
  onSignedIn: (shop: string, signed: SignedTablet) => void;
  /** Why the tablet is not signed in any more. */
  notice: string | null;
}

/** The first page of the kitchen's app: it scans the office's code, or lets somebody type it. */
export function SetUpTablet({ onSignedIn, notice }: SetUpProps) {
  const [isScanning, setScanning] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(notice);
  const signIn = async (code: TabletCode | null, wrong: string) => {
    if (isBusy) return;
    setScanning(false);
    if (!code) return setProblem(wrong);
    setBusy(true);
    setProblem(null);
    try {
      onSignedIn(code.shop, await signInTablet(code));
    } catch (error) {
      const { errors, message } = failureOf(error);
      setProblem(message ?? Object.values(errors).flat().join(' '));
      setBusy(false);
    }
  };
  const type = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const shop = String(form.get('shop'));
    const wrong = /^\s*http:/i.test(shop) ? m.office_tablet_no_https() : m.office_tablet_code_wrong();
    void signIn(typedCode(shop, String(form.get('code'))), wrong);
  };
  return (
    <MantineProvider theme={theme} cssVariablesResolver={mantineVariables} defaultColorScheme="dark">
      <main className={classes.setup} data-set-up>
        <h1>{m.office_tablet_title()}</h1>
        <p>{m.office_tablet_where()}</p>
        {problem !== null && (
          <p role="alert" className={classes.problem}>
            {problem}
          </p>
        )}
        {isScanning ? (
          <Scanner
            onText={(text) => void signIn(readTabletCode(text), m.office_tablet_not_ours())}
            onFail={() => {
              setScanning(false);
              setProblem(m.office_tablet_no_camera());
            }}
          />
        ) : (
          <Button size="lg" loading={isBusy} onClick={() => setScanning(true)}>
            {m.office_tablet_scan()}
          </Button>
        )}
        <form className={classes.form} onSubmit={type}>
          <h2>{m.office_tablet_type()}</h2>
          <TextInput
            name="shop"
            label={m.office_tablet_shop()}
            placeholder="shop.example.com"
            inputMode="url"
            autoCapitalize="none"
            size="lg"
            required
          />
          <TextInput
            name="code"
            label={m.office_tablet_code()}
            placeholder="ABCD-EFGH"
            autoCapitalize="characters"
            autoComplete="off"
            size="lg"
            required
          />
          <Button type="submit" variant="default" size="lg" loading={isBusy}>
            {m.office_tablet_sign_in()}
          </Button>
        </form>
      </main>
    </MantineProvider>
  );
}

/** While the tablet's stored values cannot be read. */
export function SetUpWaits() {
  return (
    <main className={classes.setup}>
      <p role="status">{m.office_tablet_busy()}</p>
    </main>
  );
}

function Scanner({ onText, onFail }: { onText: (text: string) => void; onFail: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const latest = useRef({ onText, onFail });
  useEffect(() => {
    latest.current = { onText, onFail };
  });
  useEffect(() => {
    let end = () => {};
    let isGone = false;
    const start = async () => {
      const { scanCodes } = await import('#office/web/tablet/scan-code.ts');
      if (!video.current) return;
      end = await scanCodes(video.current, (text) => latest.current.onText(text));
      if (isGone) end();
    };
    start().catch(() => latest.current.onFail());
    return () => {
      isGone = true;
      end();
    };
  }, []);
  return <video ref={video} className={classes.camera} muted playsInline aria-label={m.office_tablet_scan()} />;
}
