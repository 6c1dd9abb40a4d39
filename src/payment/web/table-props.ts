import type { ListView } from '#ui/list-view.ts';
import type { Store } from '#store/contract.ts';

/** Properties of a table of the payments page. */
export interface TableProps {
  store: Store;
  view: ListView;
  onView: (part: Partial<ListView>) => void;
  onOpen: (orderId: string) => void;
}
