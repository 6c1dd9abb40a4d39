import { m } from '#messages';
import { OfficePage } from '#office/web/office-page.tsx';
import { Empty } from '#office/web/states.tsx';
import type { Store } from '#store/contract.ts';

export function StaffPage({ store }: { store: Store }) {
  return (
    <OfficePage title={m.office_page_staff()}>
      <Empty title={store.name} />
    </OfficePage>
  );
}
