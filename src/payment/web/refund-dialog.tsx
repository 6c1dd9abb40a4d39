import { Alert, Button, Group, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { v4 as randomId } from 'uuid';
import { m } from '#messages';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { MoneyField } from '#ui/web/office/money-field.tsx';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';
import type { Order } from '#ordering/order.ts';
import type { OrderPayments } from '#payment/contract.ts';
import { planRefund, quantityLeft, type WantedRefund } from '#payment/refund-rules.ts';
import classes from '#payment/web/refund-dialog.module.css';
import { refetchMoney, useOrderMoney } from '#payment/web/order-money.ts';
import { RefundList } from '#payment/web/refund-list.tsx';
import { formatMoney } from '#platform/money.ts';
import { api, ApiError } from '#platform/web/api.ts';

interface DialogProps {
  orderId: string;
  currency: string;
  onClose: () => void;
  /** Money was given back, or is on its way. */
  onDone?: () => void;
}

/** Gives back some or all of what an order's customer paid; for the owner. */
export function RefundDialog({ orderId, currency, onClose, onDone }: DialogProps) {
  const query = useOrderMoney(orderId);
  const number = query.data?.order.number;
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={number === undefined ? m.payment_refund_title_waiting() : m.payment_refund_title({ number })}
    >
      {query.data ? (
        <RefundForm {...query.data} currency={currency} onClose={onClose} onDone={onDone} />
      ) : query.isError ? (
        <Trouble error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Waiting />
      )}
    </Dialog>
  );
}

type Way = 'all' | 'lines' | 'amount';

interface FormProps {
  order: Order;
  money: OrderPayments;
  currency: string;
  onClose: () => void;
  onDone: (() => void) | undefined;
}

function RefundForm({ order, money, currency, onClose, onDone }: FormProps) {
  const [way, setWay] = useState<Way>('all');
  const [amount, setAmount] = useState<number | null>(null);
  const [pieces, setPieces] = useState<Record<string, number>>({});
  const [reason, setReason] = useState('');
  // The same try again, after a lost answer, is the same refund.
  const [key] = useState(() => randomId());
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const say = (value: number) => formatMoney(value, currency);
  const earlier = money.refunds.filter(({ status }) => status !== 'failed');
  if (money.refundable === 0) {
    return (
      <Stack>
        <p>{earlier.length > 0 ? m.payment_refund_nothing_left() : m.payment_nothing_paid()}</p>
        <RefundList refunds={money.refunds} currency={currency} />
      </Stack>
    );
  }
  const wanted = wantedBy(way, { amount, pieces, left: money.refundable });
  const plan = wanted && planRefund(order, earlier, wanted);
  const sum = plan && !('fault' in plan) ? plan.amount : null;
  const fault = plan && 'fault' in plan && plan.fault === 'too_much' ? plan.left : null;
  const isByHand = !money.payments.some(({ status }) => status === 'captured');

  const send = async (): Promise<void> => {
    if (!wanted || sum === null || sum === 0) return;
    setBusy(true);
    setError(null);
    try {
      const body = { id: order.id, key, reason, ...mutable(wanted) };
      const { data } = await api('POST /v1/orders/{id}/refunds', body, { timeout: 20_000 });
      const words = data.status === 'pending' ? m.payment_refund_going : m.payment_refund_done;
      notify({ text: words({ amount: say(sum) }) });
      onClose();
      onDone?.();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
      await refetchMoney();
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Stack>
        <p className={classes.sums}>
          {m.payment_refund_sums({
            paid: say(order.total),
            refunded: say(money.refunded + money.pending),
            left: say(money.refundable),
          })}
        </p>
        {error !== null && (
          <Alert color="bad" role="alert">
            {error instanceof ApiError && error.code === 'offline' ? m.payment_refund_offline() : refusalWords(error)}
          </Alert>
        )}
        <Radio.Group value={way} onChange={(value) => setWay(value as Way)} label={m.payment_refund_way()}>
          <Stack gap="xs" mt="xs">
            <Radio value="all" label={m.payment_refund_all({ amount: say(money.refundable) })} />
            <Radio value="lines" label={m.payment_refund_lines()} />
            <Radio value="amount" label={m.payment_refund_amount()} />
          </Stack>
        </Radio.Group>
        {way === 'lines' && (
          <Lines order={order} earlier={earlier} pieces={pieces} onChange={setPieces} currency={currency} />
        )}
        {way === 'amount' && (
          <MoneyField
            label={m.payment_refund_amount_label()}
            value={amount}
            onChange={setAmount}
            currency={currency}
            required
            error={
              amount === 0
                ? m.payment_refund_nothing()
                : fault !== null && m.payment_refund_too_much({ amount: say(fault) })
            }
          />
        )}
        <TextInput
          label={m.payment_refund_reason()}
          description={m.payment_refund_reason_hint()}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={300}
          required
        />
        <output>
          {sum !== null &&
            sum > 0 &&
            (isByHand
              ? m.payment_refund_by_hand({ amount: say(sum) })
              : m.payment_refund_to_card({ amount: say(sum) }))}
        </output>
        {fault !== null && way === 'lines' && (
          <p className={classes.fault}>{m.payment_refund_too_much({ amount: say(fault) })}</p>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {m.platform_cancel()}
          </Button>
          <Button type="submit" color="bad" loading={isBusy} disabled={sum === null || sum === 0}>
            {sum === null || sum === 0 ? m.payment_refund_give() : m.payment_refund_give_amount({ amount: say(sum) })}
          </Button>
        </Group>
        <RefundList refunds={money.refunds} currency={currency} />
      </Stack>
    </form>
  );
}

interface LinesProps {
  order: Order;
  earlier: OrderPayments['refunds'];
  pieces: Record<string, number>;
  onChange: (pieces: Record<string, number>) => void;
  currency: string;
}

function Lines({ order, earlier, pieces, onChange, currency }: LinesProps) {
  return (
    <ul className={classes.lines}>
      {order.lines.map((line) => {
        const left = quantityLeft(line, earlier);
        return (
          <li key={line.id}>
            <span>
              {m.payment_refund_line({ quantity: line.quantity, name: line.name })}
              {line.options.length > 0 && <small>{line.options.map(({ name }) => name).join(', ')}</small>}
            </span>
            <span className={classes.price}>{formatMoney(line.total, currency)}</span>
            <NativeSelect
              aria-label={m.payment_refund_pieces({ name: line.name })}
              disabled={left === 0}
              value={pieces[line.id] ?? 0}
              onChange={(event) => onChange({ ...pieces, [line.id]: Number(event.currentTarget.value) })}
              data={Array.from({ length: left + 1 }, (_, count) => ({ value: String(count), label: String(count) }))}
            />
          </li>
        );
      })}
    </ul>
  );
}

function wantedBy(
  way: Way,
  { amount, pieces, left }: { amount: number | null; pieces: Record<string, number>; left: number },
): WantedRefund | null {
  if (way === 'all') return { amount: left };
  if (way === 'amount') return amount === null || amount === 0 ? null : { amount };
  const lines = Object.entries(pieces).flatMap(([line_id, quantity]) => (quantity > 0 ? [{ line_id, quantity }] : []));
  return lines.length === 0 ? null : { lines };
}

function mutable(wanted: WantedRefund) {
  return 'amount' in wanted ? wanted : { lines: [...wanted.lines] };
}
