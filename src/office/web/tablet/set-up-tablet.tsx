import { Button, MantineProvider, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import classes from '#office/web/tablet/tablet.module.css';
import { mantineVariables, mantineTheme } from '#office/web/theme.ts';
import { formFailureOf } from '#ui/web/form-errors.ts';
import { ApiError } from '#platform/web/api.ts';

interface SetUpProps {
  onSignedIn: (shop: string, signed: SignedTablet) => void;
  /** Why the tablet was signed out; null: it was not. */
  notice: string | null;
}

/** The kitchen app's first page, which scans the office's code or accepts a typed one. */
export function TabletSetUpPage({ onSignedIn, notice }: SetUpProps) {
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
      const { errors, message } = formFailureOf(error);
      setProblem(message ?? Object.values(errors).flat().join(' '));
      setBusy(false);
    }
  };
  const type = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const shop = String(form.get('shop'));
    const wrong = /^\s*http:/i.test(shop) ? m.office_tablet_no_https() : m.office_tablet_code_wrong();
    void signIn(readTypedTabletCode(shop, String(form.get('code'))), wrong);
  };
  return (
    <MantineProvider theme={mantineTheme} cssVariablesResolver={mantineVariables} defaultColorScheme="dark">
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

export function TabletStorageBusyPage() {
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
      const { scanQrCodes } = await import('#office/web/tablet/scan-code.ts');
      if (!video.current) return;
      end = await scanQrCodes(video.current, (text) => latest.current.onText(text));
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

/** The content of a tablet's QR code: the shop's address, and a one-time device code. */
interface TabletCode {
  shop: string;
  code: string;
}

interface SignedTablet {
  token: string;
  storeId: string;
}

const codeForm = /^[A-HJ-NP-Z2-9]{8}$/;

/** Parses the office's QR code, `https://shop/app/device#XXXXXXXX`; null for other texts. */
export function readTabletCode(text: string): TabletCode | null {
  const url = URL.parse(text.trim());
  if (!url || !/\/app\/device\/?$/.test(url.pathname)) return null;
  return readTypedTabletCode(url.href, url.hash.slice(1));
}

/**
 * Parses a typed shop address, with or without scheme, and a typed code, with or without dash; null if either is
 * invalid.
 */
export function readTypedTabletCode(address: string, code: string): TabletCode | null {
  const shop = parseShopOrigin(address);
  const plain = code.replaceAll(/[\s-]/g, '').toUpperCase();
  return shop !== null && codeForm.test(plain) ? { shop, code: plain } : null;
}

/** The origin of a typed shop address; null unless the address is https, or http on this machine for development. */
export function parseShopOrigin(address: string): string | null {
  const typed = address.trim();
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`);
  if (!url || url.username !== '' || url.password !== '') return null;
  const isLocal = url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname);
  const hasName = isLocal || /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(url.hostname);
  return hasName && (url.protocol === 'https:' || isLocal) ? url.origin : null;
}

/** Signs the tablet in. Throws ApiError. It uses `fetch`, because API calls do not know the shop's address yet. */
async function signInTablet({ shop, code }: TabletCode): Promise<SignedTablet> {
  const response = await fetch(`${shop}/v1/devices/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ code, kind: 'tablet' }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => {
    throw new ApiError(0, { code: 'offline' });
  });
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (!response.ok) throw new ApiError(response.status, body);
  const { token, device } = (body['data'] ?? {}) as { token?: unknown; device?: { store_id?: unknown } };
  if (typeof token !== 'string' || typeof device?.store_id !== 'string') throw new ApiError(response.status, {});
  return { token, storeId: device.store_id };
}
