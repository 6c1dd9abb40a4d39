import { Icon } from '#ui/web/icon.tsx';
import type { Store } from '#store/contract.ts';

/** The shop's telephone, to be called with a tap; nothing where it has none. */
export function PhoneLink({ store }: { store: Pick<Store, 'phone'> }) {
  if (!store.phone) return null;
  return (
    <a href={`tel:${store.phone.replaceAll(' ', '')}`} className="btn btn-quiet num justify-self-start">
      <Icon name="phone" />
      {store.phone}
    </a>
  );
}
