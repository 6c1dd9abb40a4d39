import { type ReactNode, useId } from 'react';
import { Notices } from '#ui/web/notices.tsx';

/** One thing of the profile, under a heading of its own. */
export function Section({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card grid content-start gap-4 p-4 sm:p-6">
      <div className="grid gap-1">
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        {hint && <p className="text-ink-soft">{hint}</p>}
      </div>
      {children}
      <Notices />
    </section>
  );
}
