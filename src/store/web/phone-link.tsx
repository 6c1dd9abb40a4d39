import { Icon } from '#ui/web/icon.tsx';
import type { Store } from '#store/contract.ts';

/** A link that calls the shop's telephone number; nothing if the shop has none. */
export function PhoneLink({ store }: { store: Pick<Store, 'phone'> }) {
  if (!store.phone) return null;
  return (
    <a href={`tel:${store.phone.replaceAll(' ', '')}`} className="btn btn-quiet num justify-self-start">
      <Icon name="phone" />
      {store.phone}
    </a>
  );
}
