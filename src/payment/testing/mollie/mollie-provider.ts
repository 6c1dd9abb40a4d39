import { randomUUID } from 'node:crypto';
import type { ProviderPayment, ProviderRefund, ProviderState } from '#payment/payment-state.ts';
import { type PaymentProvider, ProviderRefusal } from '#payment/server/provider.ts';
import { createStripeBankSource } from '#payment/server/stripe/stripe-bank.ts';
import type { OtherCompany } from '#payment/testing/model/shop-bench.ts';
import {
  createLocalMollie,
  type LocalMollie,
  minorOf,
  type MolliePayment,
  type MollieRefund,
  moneyOf,
  namedPayment,
} from '#payment/testing/mollie/local-mollie.ts';

/** A third company as a provider of this shop: its webhooks are not signed, and name a payment by its id alone. */
function createMollieProvider(api: LocalMollie): PaymentProvider {
  const fetch = async (id: string): Promise<ProviderPayment> => seenOf(await api.get(id), await api.refunds(id));
  return {
    name: mollie.name,
    async createCheckout({ amount, currency, description, returnUrl, isHeld, expiresAt, ...request }) {
      const metadata = { payment_id: request.paymentId, order_id: request.orderId };
      const captureMode = isHeld ? 'manual' : 'automatic';
      const page = { description, redirectUrl: returnUrl, captureMode, expiresAt } as const;
      const asked = { amount: moneyOf(amount, currency), metadata, ...page };
      const { id, checkout } = await api.create(asked, request.idempotencyKey);
      return { reference: id, redirectUrl: checkout };
    },
    fetch,
    async capture(id, key, amount) {
      const before = await fetch(id);
      if (before.state === 'captured' || before.state === 'refunded') return before;
      await api.capture(id, moneyOf(amount, before.currency), key);
      return fetch(id);
    },
    async void(id, key) {
      const before = await fetch(id);
      if (before.state !== 'open' && before.state !== 'authorised') return before;
      await api.cancel(id, key).catch(async (error: unknown) => {
        const isOver = error instanceof ProviderRefusal && (await fetch(id)).state !== before.state;
        if (!isOver) throw error;
      });
      return fetch(id);
    },
    async refund(id, key, amount) {
      const before = await fetch(id);
      const made = before.refundList?.find((one) => one.key === key);
      if (made?.status === 'failed') throw new ProviderRefusal(`the refund ${made.id} failed`);
      if (made || before.state === 'refunded') return before;
      const left = (before.captured ?? 0) - (before.refunded ?? 0);
      await api.refund(id, moneyOf(amount ?? left, before.currency), key);
      const after = await fetch(id);
      const failed = after.refundList?.find((one) => one.key === key && one.status === 'failed');
      if (failed) throw new ProviderRefusal(`the refund ${failed.id} failed`);
      return after;
    },
    async readWebhook(body, _header, at) {
      const id = new URLSearchParams(body).get('id');
      const untold = { paymentId: null, account: null, mode: null, amount: null, currency: null };
      return id === null ? null : { id: randomUUID(), type: 'payment', object: id, reference: id, ...untold, at };
    },
  };
}

export const mollie: OtherCompany = {
  // The product knows no such name.
  name: 'mollie' as OtherCompany['name'],
  row: {
    open: (_services, { stripe }) => createMollieProvider(createLocalMollie(stripe)),
    bank: ({ stripe }) => createStripeBankSource(stripe),
  },
  message(body, books) {
    const id = namedPayment(body, books().sessionOfIntent);
    return id && `id=${id}`;
  },
};

const states: Record<Exclude<MolliePayment['status'], 'canceled'>, ProviderState> = {
  open: 'open',
  pending: 'open',
  authorized: 'authorised',
  paid: 'captured',
  expired: 'abandoned',
  failed: 'declined',
};

function seenOf(payment: MolliePayment, refunds: readonly MollieRefund[]): ProviderPayment {
  const { status, amount, amountCaptured, captureBefore } = payment;
  const refundList = refunds.map(foundOf);
  const refunded = refundList.reduce((sum, one) => sum + (one.status === 'failed' ? 0 : one.amount), 0);
  const captured = amountCaptured && minorOf(amountCaptured);
  // Only authorised money is released; the payer has left any other page.
  const state = status === 'canceled' ? (payment.authorizedAt ? 'voided' : 'abandoned') : states[status];
  return {
    state: captured !== undefined && refunded >= captured ? 'refunded' : state,
    amount: minorOf(amount),
    currency: amount.currency,
    ...(captured !== undefined && { captured }),
    refunded,
    refundList,
    intent: payment.transaction,
    isProcessing: status === 'pending',
    heldUntil: captureBefore && status === 'authorized' ? new Date(captureBefore) : null,
    paymentId: payment.metadata.payment_id,
  };
}

function foundOf({ id, status, amount, metadata }: MollieRefund): ProviderRefund {
  const isFailed = status === 'failed' || status === 'canceled';
  const found = { id, key: metadata.key ?? null, amount: minorOf(amount) };
  return { ...found, status: isFailed ? 'failed' : status === 'refunded' ? 'succeeded' : 'pending' };
}
