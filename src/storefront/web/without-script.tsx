import { m } from '#messages';
import type { Store } from '#store/contract.ts';
import { PhoneLink } from '#store/web/phone-link.tsx';

/** In place of a page that only the browser can make: what somebody can do whose browser runs no scripts. */
export function WithoutScript({ store }: { store: Pick<Store, 'name' | 'phone'> }) {
  return (
    <noscript>
      <header className="border-b border-line bg-paper">
        <div className="mx-auto flex min-h-16 max-w-page items-center px-4 lg:px-8">
          <a href="/" className="display flex min-h-11 items-center text-xl font-extrabold sm:text-2xl">
            {store.name}
          </a>
        </div>
      </header>
      <main className="mx-auto grid w-full max-w-page justify-items-center gap-4 px-4 py-16 text-center lg:px-8">
        <h1 className="text-4xl font-extrabold lg:text-5xl">{m.store_script_title()}</h1>
        <p className="text-lg text-ink-soft">{store.phone ? m.store_script_phone() : m.store_script_words()}</p>
        <p className="flex flex-wrap justify-center gap-3">
          <a href="/menu" className="btn btn-primary">
            {m.menu_see()}
          </a>
          <PhoneLink store={store} />
        </p>
      </main>
    </noscript>
  );
}
