import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { m } from '#messages';
import { apiAddress, ApiError } from '#platform/web/api.ts';

/** The interval of checks whether the shop responds (ms). */
const lookAgain = 10_000;

/** Replaces content that failed to load, with a button to retry. While offline, the retries are automatic, too. */
export function LoadFailure({ error, onRetry, title }: { error?: unknown; onRetry: () => void; title?: string }) {
  // `navigator.onLine` is checked, too, because without a connection the module that throws `ApiError` may not have
  // loaded.
  const isOffline = (error instanceof ApiError && error.code === 'offline') || !navigator.onLine;
  useRecovery(isOffline, onRetry);
  return (
    <div role="alert" className="trouble mx-auto grid max-w-md justify-items-center gap-4 px-4 py-16 text-center">
      <h1 className="text-2xl">{title ?? (isOffline ? m.platform_offline_title() : m.platform_trouble_title())}</h1>
      <p className="text-ink-soft">{isOffline ? m.platform_offline() : m.platform_internal()}</p>
      <button type="button" className="btn btn-primary" onClick={onRetry}>
        {m.platform_retry()}
      </button>
    </div>
  );
}

/**
 * While offline, retries when the browser comes online. Retries also as soon as the shop responds, because some
 * browsers report offline wrongly.
 */
function useRecovery(isOffline: boolean, onRetry: () => void): void {
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (!isOffline) return undefined;
    const online = () => retry();
    const look = () => fetch(apiAddress('/live')).then(({ ok }) => void (ok && retry()), noAnswer);
    const timer = setInterval(() => void look(), lookAgain);
    addEventListener('online', online);
    return () => {
      clearInterval(timer);
      removeEventListener('online', online);
    };
  }, [isOffline]);
}

function noAnswer(): void {}

/** A loading skeleton, hidden for the first 300 ms. `children`: the shape of its page. */
export function LoadingSkeleton({ children }: { children?: ReactNode }) {
  return (
    <>
      <div className="sr-only" role="status">
        <h1>{m.platform_loading()}</h1>
      </div>
      <div aria-hidden="true">
        {children ?? (
          <div className="mx-auto grid w-full max-w-3xl gap-4 px-4 py-8">
            <div className="skeleton h-10 w-2/3" />
            <div className="skeleton h-32" />
            <div className="skeleton h-32" />
          </div>
        )}
      </div>
    </>
  );
}
