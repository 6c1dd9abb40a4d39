import type { ReactNode } from 'react';

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
