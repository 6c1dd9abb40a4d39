import type { ListView } from '#ui/list-view.ts';
import type { Store } from '#store/contract.ts';
import { Badge } from '@mantine/core';
import { m } from '#messages';
import type { PaymentMode } from '#database/column-values.ts';
import classes from '#payment/web/bank.module.css';

/** Properties of a table of the payments page. */
export interface TableProps {
  store: Store;
  view: ListView;
  onView: (part: Partial<ListView>) => void;
  onOpen: (orderId: string) => void;
}

/** That no money moves; nothing in live mode. */
export function TestMark({ mode }: { mode: PaymentMode }) {
  if (mode === 'live') return null;
  return (
    <Badge className={classes.test} variant="outline" tt="none">
      {m.payment_mark_test()}
    </Badge>
  );
}
