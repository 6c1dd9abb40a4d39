import { Badge } from '@mantine/core';
import { m } from '#messages';
import type { PaymentMode } from '#database/column-types.ts';
import classes from '#payment/web/bank.module.css';

/** That no money moves; nothing in live mode. */
export function TestMark({ mode }: { mode: PaymentMode }) {
  if (mode === 'live') return null;
  return (
    <Badge className={classes.test} variant="outline" tt="none">
      {m.payment_mark_test()}
    </Badge>
  );
}
