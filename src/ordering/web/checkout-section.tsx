import { type ReactNode, useId } from 'react';
import { Notices } from '#ui/web/notices.tsx';

export function CheckoutSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card grid gap-5 p-5 sm:p-6">
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {children}
      <Notices />
    </section>
  );
}
