import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import type { OfferedApp } from '#app-release/contract.ts';
import { formatFingerprint, fileSizeWords } from '#app-release/release-rules.ts';
import { api, apiAddress } from '#platform/web/api.ts';
import { isReachableByOthers, shopOrigin } from '#platform/web/shop-origin.ts';
import { isIosDevice } from '#push/web/this-device.ts';
import { QrCode } from '#ui/web/qr-code.tsx';
import { LoadingSkeleton, LoadFailure } from '#ui/web/load-states.tsx';
import type { ReactNode } from 'react';

/** The page where customers get the shop's app: a file for Android, a home screen page for iPhones. */
export function AppDownloadPage() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['app-release'],
    queryFn: async ({ signal }) => (await api('GET /v1/app-release/current', {}, { signal, timeout: 20_000 })).data,
  });
  if (isPending) return <LoadingSkeleton />;
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-10 px-4 py-10 sm:py-16">
      <header>
        <h1 className="text-4xl font-extrabold">{m.app_release_page_title()}</h1>
        <p className="mt-3 text-ink-soft">{m.app_release_page_intro()}</p>
      </header>
      {isIosDevice() ? (
        <>
          <ForIphone />
          <ForAndroid app={data} />
        </>
      ) : (
        <>
          <ForAndroid app={data} />
          <ForIphone />
        </>
      )}
    </div>
  );
}

function ForAndroid({ app }: { app: OfferedApp | null }) {
  return (
    <section aria-labelledby="app-android" className="grid gap-5">
      <h2 id="app-android" className="text-2xl font-bold">
        {m.app_release_page_android()}
      </h2>
      {app ? <Download app={app} /> : <p>{m.app_release_page_none()}</p>}
    </section>
  );
}

function ForIphone() {
  return (
    <section aria-labelledby="app-iphone" className="grid gap-5">
      <h2 id="app-iphone" className="text-2xl font-bold">
        {m.app_release_page_iphone()}
      </h2>
      <p>{m.app_release_page_iphone_intro()}</p>
      <InstallSteps kind="iphone" />
    </section>
  );
}

function Download({ app }: { app: OfferedApp }) {
  const { version, size, sha256, facts, notes } = app;
  const details = [
    [m.app_release_page_version(), version],
    [m.app_release_page_size(), fileSizeWords(size)],
    [m.app_release_page_needs(), m.app_release_page_needs_android({ version: androidVersion(facts?.min_sdk ?? 24) })],
  ];
  return (
    <>
      <div className="flex flex-wrap items-center gap-6">
        <div className="grid gap-3">
          <a href={apiAddress(app.download_url)} className="btn btn-primary min-h-13 text-lg" download>
            {m.app_release_page_download()}
          </a>
          <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
            {details.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-ink-soft">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
        <ForAnotherPhone />
      </div>
      {notes && (
        <p className="whitespace-pre-line">
          <strong>{m.app_release_page_new()}</strong> {notes}
        </p>
      )}
      <InstallSteps kind="android" />
      <details>
        <summary className="link min-h-11 cursor-pointer">{m.app_release_page_check()}</summary>
        <p className="mt-2">{m.app_release_page_check_words()}</p>
        <p className="mt-2 font-mono text-sm break-all">{`SHA-256 ${sha256}`}</p>
        {facts && (
          <p className="mt-2 font-mono text-sm break-all">
            {m.app_release_page_signer({ fingerprint: formatFingerprint(facts.signer) })}
          </p>
        )}
      </details>
    </>
  );
}

/** A QR code for people on a larger screen, if phones can open the shop's URL. */
function ForAnotherPhone() {
  const address = shopOrigin();
  if (!isReachableByOthers(address)) {
    return <p className="hidden max-w-xs text-sm text-ink-soft sm:block">{m.app_release_page_no_qr({ address })}</p>;
  }
  return (
    <figure className="hidden justify-items-center gap-2 sm:grid">
      <QrCode text={new URL('/app', address).href} label={m.app_release_page_qr()} />
      <figcaption className="text-sm text-ink-soft">{m.app_release_page_qr_words()}</figcaption>
    </figure>
  );
}

function androidVersion(minSdk: number): string {
  const names: Record<number, string> = {
    24: '7',
    25: '7.1',
    26: '8',
    27: '8.1',
    28: '9',
    29: '10',
    30: '11',
    31: '12',
  };
  return names[minSdk] ?? String(Math.max(12, minSdk - 20));
}

function InstallSteps({ kind }: { kind: 'android' | 'iphone' }) {
  const steps: [words: string, picture: ReactNode][] =
    kind === 'android'
      ? [
          [m.app_release_step_download(), <FilePicture key="file" />],
          [m.app_release_step_allow(), <SwitchPicture key="switch" />],
          [m.app_release_step_install(), <ButtonPicture key="button" />],
        ]
      : [
          [m.app_release_step_safari(), <SharePicture key="share" />],
          [m.app_release_step_home(), <PlusPicture key="plus" />],
          [m.app_release_step_open(), <ButtonPicture key="button" />],
        ];
  return (
    <ol className="grid gap-4 sm:grid-cols-3">
      {steps.map(([words, picture], index) => (
        <li key={words} className="grid content-start gap-3 rounded-box border border-line p-4">
          <Screen>{picture}</Screen>
          <p>
            <strong>{index + 1}.</strong> {words}
          </p>
        </li>
      ))}
    </ol>
  );
}

/** A drawing of a phone's screen that shows where to tap. */
function Screen({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 96 72" className="h-28 w-full text-accent-text" aria-hidden="true" fill="none" strokeWidth="3">
      <rect x="22" y="2" width="52" height="84" rx="8" className="stroke-line" />
      {children}
    </svg>
  );
}

function FilePicture() {
  return (
    <g stroke="currentColor" strokeLinecap="round" strokeLinejoin="round">
      <path d="M48 18v24m-9-9 9 9 9-9" />
      <path d="M36 52h24" />
    </g>
  );
}

function SwitchPicture() {
  return (
    <g stroke="currentColor">
      <path d="M31 22h34M31 32h22" className="stroke-line" strokeLinecap="round" />
      <rect x="36" y="42" width="24" height="14" rx="7" />
      <circle cx="53" cy="49" r="3" fill="currentColor" />
    </g>
  );
}

function ButtonPicture() {
  return (
    <g>
      <rect x="38" y="14" width="20" height="20" rx="5" fill="currentColor" />
      <rect x="31" y="46" width="34" height="12" rx="6" stroke="currentColor" />
    </g>
  );
}

function SharePicture() {
  return (
    <g stroke="currentColor" strokeLinecap="round" strokeLinejoin="round">
      <path d="M48 44V16m-8 8 8-8 8 8" />
      <path d="M40 32h-5v24h26V32h-5" />
    </g>
  );
}

function PlusPicture() {
  return (
    <g stroke="currentColor" strokeLinecap="round">
      <rect x="35" y="22" width="26" height="26" rx="6" />
      <path d="M48 29v12m-6-6h12" />
    </g>
  );
}
