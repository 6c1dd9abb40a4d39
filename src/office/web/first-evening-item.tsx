import { Menu } from '@mantine/core';
import { useLocation } from 'wouter';
import { m } from '#messages';
import type { Store } from '#store/contract.ts';
import { Icon } from '#ui/web/office/icon.tsx';

/** Brings the hidden list back; in the account's menu of an owner. */
export function FirstEveningItem({ store }: { store: Store }) {
  const [, go] = useLocation();
  const show = async (): Promise<void> => {
    const { showFirstEvening } = await import('#office/web/first-evening-query.ts');
    if (await showFirstEvening(store.id, true)) go('/store/orders');
  };
  return (
    <Menu.Item leftSection={<Icon name="check" />} onClick={() => void show()}>
      {m.office_first_evening()}
    </Menu.Item>
  );
}
