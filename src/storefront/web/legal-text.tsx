import type { ReactNode } from 'react';
import { m } from '#messages';
import type { Store } from '#store/contract.ts';

interface LegalTextProps {
  title: string;
  intro: string;
  /** The sections, each with a heading and a text. Each line of the text is a paragraph. */
  parts: readonly (readonly [heading: string, text: string])[];
  store: Store;
  children?: ReactNode;
}

export function LegalText({ title, intro, parts, store, children }: LegalTextProps) {
  return (
    <article className="mx-auto grid w-full max-w-2xl content-start gap-8 px-4 py-10 lg:py-16">
      <header className="grid gap-3">
        <h1 className="text-4xl lg:text-5xl">{title}</h1>
        <p className="text-lg text-ink-soft">{intro}</p>
      </header>
      {parts.map(([heading, text]) => (
        <section key={heading} className="grid gap-2">
          <h2 className="text-xl">{heading}</h2>
          {text.split('\n').map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
      ))}
      {children}
      <section className="card grid gap-1 p-5">
        <h2 className="text-xl">{m.store_legal_who()}</h2>
        {identityOf(store).map((line) => (
          <p key={line}>{line}</p>
        ))}
      </section>
    </article>
  );
}

/**
 * The lines that identify the contract partner, required by the Companies Act 2006 and the E-Commerce Regulations 2002.
 */
function identityOf(store: Store): string[] {
  const { address } = store;
  return [
    store.legal_name && store.legal_name !== store.name
      ? m.store_legal_trading({ legal: store.legal_name, name: store.name })
      : store.name,
    [address.line1, address.line2, address.city, address.postcode].filter(Boolean).join(', '),
    store.company_number ? m.store_company_number({ number: store.company_number }) : '',
    store.vat_number ? m.store_vat_number({ number: store.vat_number }) : '',
    store.email,
    store.phone,
  ].filter((line) => line !== '');
}
