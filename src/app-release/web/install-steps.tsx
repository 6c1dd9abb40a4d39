import type { ReactNode } from 'react';
import { m } from '#messages';

/** The app's way onto a phone, each step with a picture of the phone. */
export function InstallSteps({ kind }: { kind: 'android' | 'iphone' }) {
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

/** A phone's screen, on which something is pointed out. */
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
