import { type ReactNode, useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#platform/web/api.ts';

/** A narrow page with one thing to do. */
export function AccountPage({ title, intro, children }: { title: string; intro?: ReactNode; children?: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-md px-4 py-10 sm:py-16">
      <h1 className="text-4xl font-extrabold">{title}</h1>
      {intro && <div className="mt-3 text-ink-soft">{intro}</div>}
      <div className="mt-6">{children}</div>
    </div>
  );
}

interface BackToAppProps {
  /** Within the app, e.g. `orders/…/payment/callback`. */
  path: string;
}

/**
 * The way back to the customers' app from a page in the browser. The link names the package of the published app, so that no
 * other app gets it. It is followed at once; where a browser wants a tap for that, there is the button.
 */
export function BackToApp({ path }: BackToAppProps) {
  const { data, isPending } = useQuery({
    queryKey: ['app-package'],
    queryFn: async ({ signal }) => (await api('GET /v1/app-release/current', {}, { signal, timeout: 20_000 })).data,
  });
  const name = data?.facts?.package ?? null;
  const link = name === null ? null : appLink(name, path);
  useEffect(() => {
    if (link !== null) location.assign(link);
  }, [link]);
  if (isPending) return null;
  // Without a published app there is no package to name: a person who came from one goes back by hand.
  if (link === null) return <p>{m.accounts_back_by_hand()}</p>;
  return (
    <a href={link} className="btn btn-primary min-h-13 text-lg">
      {m.accounts_back_to_app()}
    </a>
  );
}

/** An `intent:` address: Android opens the app of this package with `package://path`. */
export function appLink(name: string, path: string): string {
  return `intent://${path}#Intent;scheme=${name};package=${name};end`;
}
