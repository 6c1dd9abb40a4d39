import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { m } from '#messages';
import classes from '#ui/web/office/states.module.css';
import { ApiError } from '#platform/web/api.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { hasCodeLoadFailed } from '#ui/web/lazy-part.ts';

export function OfficeLoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isOffline = error instanceof ApiError && error.code === 'offline';
  return (
    <div role="alert" className={classes.middle}>
      <h1>{isOffline ? m.platform_offline_title() : m.platform_trouble_title()}</h1>
      <p>{refusalWords(error)}</p>
      <Button onClick={onRetry}>{m.platform_retry()}</Button>
    </div>
  );
}

/** Replaces a part whose code did not load; reopening the part retries. */
export function PartLoadFailure() {
  if (hasCodeLoadFailed()) return <OfficeLoadFailure error={null} onRetry={() => location.reload()} />;
  return <p role="alert">{m.platform_offline()}</p>;
}

/** Replaces a loading page; hidden for the first 300 ms. */
export function LoadingState() {
  return (
    <div className={classes.middle} data-late>
      <Loader aria-hidden="true" />
      <output>{m.platform_loading()}</output>
    </div>
  );
}

export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes.middle}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
