import { Alert, Anchor, Button, Group, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { m } from '#messages';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { MoneyField } from '#ui/web/office/money-field.tsx';
import { underchargeWords } from '#payment/web/payment-words.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import type { Order } from '#ordering/order.ts';
import type { OrderPayments } from '#payment/contract.ts';
import { hasBankTakenMoneyBack, isDisputeClosed, disputeNeedsResponse, disputeStageOf } from '#payment/bank-rules.ts';
import {
  initialRefundDraft,
  refundsWithinTotal,
  planRefund,
  refundablePieces,
  refundableQuantity,
  sumOfLineRemovalRefunds,
  type RefundFormPrefill,
  type RefundDraft,
  type RefundWay,
  type RequestedRefund,
} from '#payment/refund-rules.ts';
import { CheckProviderButton, DisputeDeadline, refetchOrderMoney, useOrderMoney } from '#payment/web/order-money.tsx';
import classes from '#payment/web/refund-dialog.module.css';
import { formatMoney } from '#platform/money.ts';
import { api, ApiError } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { useStoresQuery } from '#store/web/stores.ts';
import type { Refund } from '#payment/refund.ts';
import { refundStateWords } from '#payment/refund-status-words.ts';
import type { Dispute } from '#payment/bank-contract.ts';
import { disputeReasonWords, disputeStageWords, disputeStatusWords } from '#payment/dispute-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { useState } from 'react';
import { v4 as randomId } from 'uuid';
import { notify } from '#ui/web/notify.ts';

interface DialogProps {
  orderId: string;
  store: Pick<Store, 'currency' | 'timezone'>;
  onClose: () => void;
  onDone?: () => void;
  begin?: RefundFormPrefill;
}

export function RefundDialog({ orderId, store, onClose, onDone, begin }: DialogProps) {
  const query = useOrderMoney(orderId);
  const number = query.data?.order.number;
  // A complaint may be about another store's order.
  const ownStore = useStoresQuery().data?.find(({ id }) => id === query.data?.order.store_id) ?? store;
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={number === undefined ? m.payment_refund_title_waiting() : m.payment_refund_title({ number })}
    >
      {query.data ? (
        <Stack>
          <RefundForm {...query.data} store={ownStore} onClose={onClose} onDone={onDone} begin={begin} />
          {query.data.money.payments.length > 0 && <CheckProviderButton orderId={orderId} />}
        </Stack>
      ) : query.isError ? (
        <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <LoadingState />
      )}
    </Dialog>
  );
}

interface FormProps {
  order: Order;
  money: OrderPayments;
  store: DialogProps['store'];
  onClose: () => void;
  onDone: (() => void) | undefined;
  begin: RefundFormPrefill | undefined;
}

function RefundForm({ order, money, store: { currency, timezone }, onClose, onDone, begin }: FormProps) {
  const say = (value: number) => formatMoney(value, currency);
  const refund = useRefund({ order, money, say, begin }, () => {
    onClose();
    onDone?.();
  });
  const { draft, change, earlier, sum, fault, error } = refund;
  const ofRemoved = sumOfLineRemovalRefunds(earlier);
  if (money.refundable === 0) {
    return (
      <Stack>
        <p>{whyNothing(money, refundsWithinTotal(earlier).length > 0)}</p>
        {money.short > 0 && <Alert color="bad">{underchargeWords(money, say)}</Alert>}
        <DisputeList disputes={money.disputes} timezone={timezone} />
        <RefundList refunds={money.refunds} currency={currency} />
      </Stack>
    );
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void refund.send();
      }}
    >
      <Stack>
        {money.short > 0 && <Alert color="bad">{underchargeWords(money, say)}</Alert>}
        <p className={classes.sums}>
          {m.payment_refund_sums({
            paid: say(order.total + ofRemoved - money.short),
            refunded: say(money.refunded + money.pending + ofRemoved),
            left: say(money.refundable),
          })}
        </p>
        <DisputeList disputes={money.disputes} timezone={timezone} />
        {error !== null && (
          <Alert color="bad" role="alert">
            {error instanceof ApiError && error.isLost ? m.payment_refund_offline() : refusalWords(error)}
          </Alert>
        )}
        <HowMuch order={order} money={money} currency={currency} refund={refund} />
        <TextInput
          label={m.payment_refund_reason()}
          description={m.payment_refund_reason_hint()}
          value={draft.reason}
          onChange={(event) => change({ reason: event.currentTarget.value })}
          maxLength={300}
          required
        />
        <output>
          {sum > 0 && (refund.isByHand ? m.payment_refund_by_hand : m.payment_refund_to_card)({ amount: say(sum) })}
        </output>
        {fault !== null && draft.way === 'lines' && (
          <p className={classes.fault}>{m.payment_refund_too_much({ amount: say(fault) })}</p>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {m.platform_cancel()}
          </Button>
          <Button type="submit" color="bad" loading={refund.isBusy} disabled={sum === 0}>
            {sum === 0 ? m.payment_refund_give() : m.payment_refund_give_amount({ amount: say(sum) })}
          </Button>
        </Group>
        <RefundList refunds={money.refunds} currency={currency} />
      </Stack>
    </form>
  );
}

interface HowMuchProps {
  order: Order;
  money: OrderPayments;
  currency: string;
  refund: ReturnType<typeof useRefund>;
}

function HowMuch({ order, money, currency, refund }: HowMuchProps) {
  const say = (value: number) => formatMoney(value, currency);
  const { draft, change, earlier, sum, fault } = refund;
  return (
    <>
      <Radio.Group
        value={draft.way}
        onChange={(value) => change({ way: value as RefundWay })}
        label={m.payment_refund_way()}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={m.payment_refund_all({ amount: say(money.refundable) })} />
          <Radio value="lines" label={m.payment_refund_lines()} />
          <Radio value="amount" label={m.payment_refund_amount()} />
        </Stack>
      </Radio.Group>
      {draft.way === 'lines' && (
        <Lines
          order={order}
          earlier={earlier}
          pieces={draft.pieces}
          onChange={(pieces) => change({ pieces })}
          currency={currency}
        />
      )}
      {draft.way === 'lines' && sum === 0 && refund.isBeginningGone && <p>{m.payment_refund_lines_gone()}</p>}
      {draft.way === 'amount' && (
        <MoneyField
          label={m.payment_refund_amount_label()}
          value={draft.amount}
          empty={null}
          onChange={(amount) => change({ amount })}
          currency={currency}
          required
          error={
            draft.amount === 0
              ? m.payment_refund_nothing()
              : fault !== null && m.payment_refund_too_much({ amount: say(fault) })
          }
        />
      )}
    </>
  );
}

function whyNothing({ disputes }: OrderPayments, wasRefunded: boolean): string {
  if (disputes.some(({ status }) => hasBankTakenMoneyBack(status))) return m.payment_refund_disputed();
  return wasRefunded ? m.payment_refund_nothing_left() : m.payment_nothing_paid();
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
        const left = refundableQuantity(line, earlier);
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

function RefundList({ refunds, currency }: { refunds: readonly Refund[]; currency: string }) {
  if (refunds.length === 0) return null;
  return (
    <section>
      <h3 className={classes.heading}>{m.payment_refunds_so_far()}</h3>
      <ul className={classes.refunds}>
        {refunds.map((refund) => (
          <li key={refund.id}>
            {m.payment_refund_row({
              amount: formatMoney(refund.amount, currency),
              status: refundStateWords(refund),
            })}
            <small>{m.payment_refund_by({ reason: refund.reason, actor: refund.actor })}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DisputeList({ disputes, timezone }: { disputes: readonly Dispute[]; timezone: string }) {
  const now = useNow();
  return disputes.map((dispute) => {
    const { id, status, amount, currency, reason, link, respond_by } = dispute;
    const isWaiting = disputeNeedsResponse(status);
    return (
      <Alert key={id} color={isDisputeClosed(status) ? 'gray' : 'bad'} title={disputeStatusWords[status]()}>
        <p>{disputeStageWords[disputeStageOf(status)]({ amount: formatMoney(amount, currency) })}</p>
        <p>{disputeReasonWords(reason)}</p>
        {isWaiting && respond_by !== null && (
          <p>
            <DisputeDeadline dispute={dispute} now={now} timezone={timezone} />
          </p>
        )}
        <Anchor href={link} target="_blank" rel="noreferrer">
          {isWaiting ? m.payment_dispute_answer_now() : m.payment_at_provider()}
        </Anchor>
      </Alert>
    );
  });
}

interface Refunding {
  draft: RefundDraft;
  change(part: Partial<RefundDraft>): void;
  /** The order's refunds that did not fail. */
  earlier: OrderPayments['refunds'];
  /** Whether the form began with chosen lines, but no piece of these lines can be refunded any more. */
  isBeginningGone: boolean;
  /** The sum that the draft refunds, in minor units; 0 while nothing is chosen. */
  sum: number;
  /** The largest possible amount, if a larger one was entered; null: the amount is possible. */
  fault: number | null;
  /** Whether staff refund by hand, because the order was paid in cash or at the shop's own card machine. */
  isByHand: boolean;
  error: unknown;
  isBusy: boolean;
  send(): Promise<void>;
}

function useRefund(
  { order, money, say, begin }: Pick<FormProps, 'order' | 'money' | 'begin'> & { say: (amount: number) => string },
  onDone: () => void,
): Refunding {
  const earlier = money.refunds.filter(isLive);
  const [typed, setDraft] = useState(() => initialRefundDraft(order, earlier, begin));
  // The form may begin with cached payments, so pieces that were refunded meanwhile are taken off the draft.
  const chosen = Object.entries(typed.pieces).map(([line_id, quantity]) => ({ line_id, quantity }));
  const draft = { ...typed, pieces: refundablePieces(order, earlier, chosen) };
  // All retries have one idempotency key.
  const [key] = useState(() => randomId());
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const wanted = money.refundable === 0 ? null : wantedBy(draft, money.refundable);
  const plan = wanted && within(money.refundable, planRefund(order, earlier, wanted));
  const sum = plan && !('fault' in plan) ? plan.amount : 0;

  const isBeginningGone =
    begin !== undefined &&
    begin.lines.length > 0 &&
    Object.keys(refundablePieces(order, earlier, begin.lines)).length === 0;

  const send = async (): Promise<void> => {
    if (!wanted || sum === 0) return;
    setBusy(true);
    setError(null);
    try {
      const body = { id: order.id, key, reason: draft.reason, ...mutable(wanted) };
      const { data } = await api('POST /v1/orders/{id}/refunds', body, { timeout: 20_000 });
      const words = data.status === 'pending' ? m.payment_refund_going : m.payment_refund_done;
      notify({ text: words({ amount: say(sum) }) });
      onDone();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
      await refetchOrderMoney();
    }
  };

  return {
    draft,
    change: (part) => setDraft({ ...draft, ...part }),
    earlier,
    isBeginningGone,
    sum,
    fault: plan && 'fault' in plan && plan.fault === 'too_much' ? plan.left : null,
    isByHand: !money.payments.some(({ status }) => status === 'captured'),
    error,
    isBusy,
    send,
  };
}

const isLive = ({ status }: Refund): boolean => status !== 'failed';

function wantedBy({ way, amount, pieces }: RefundDraft, left: number): RequestedRefund | null {
  if (way === 'all') return { amount: left };
  if (way === 'amount') return amount === null || amount === 0 ? null : { amount };
  const lines = Object.entries(pieces).flatMap(([line_id, quantity]) => (quantity > 0 ? [{ line_id, quantity }] : []));
  return lines.length === 0 ? null : { lines };
}

/**
 * Refuses a plan above the refundable amount, which is smaller than the order's total if the card was charged only a
 * part of it.
 */
function within(left: number, plan: ReturnType<typeof planRefund>): ReturnType<typeof planRefund> {
  return !('fault' in plan) && plan.amount > left ? { fault: 'too_much', left } : plan;
}

function mutable(wanted: RequestedRefund) {
  return 'amount' in wanted ? wanted : { lines: [...wanted.lines] };
}
