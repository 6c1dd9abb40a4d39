import { sql } from 'kysely';
import { m } from '#messages';
import { beginPayment, publicOrigin } from '#payment/server/begin.ts';
import { withTimeLimit, type PaymentContext, type PaymentMaker } from '#payment/server/context.ts';
import type { KeySet } from '#payment/server/keys/key-sets.ts';
import {
  forgetQueue,
  type ForgetJob,
  owedQueues,
  refundQueue,
  type OwedJob,
  type RefundJob,
} from '#payment/server/owed.ts';
import { payAgain } from '#payment/server/pay-again.ts';
import { KeysRefused, type PaymentProvider } from '#payment/server/provider.ts';
import { reconcilePayment } from '#payment/server/reconcile.ts';
import { createSandbox } from '#payment/server/sandbox/sandbox.ts';
import { findRefund } from '#payment/server/refund-rows.ts';
import { settleOwed } from '#payment/server/settle-owed.ts';
import { settleRefund } from '#payment/server/settle-refund.ts';
import { createStripeCustomers } from '#payment/server/stripe/customers.ts';
import { createStripeProvider } from '#payment/server/stripe/stripe-provider.ts';
import { sweepPayments } from '#payment/server/sweep-payments.ts';
import { AppError } from '#platform/errors.ts';
import type { Payments, PaymentServices } from '#payment/server/services.ts';

export interface PaymentOptions {
  /** This server's origin as it reaches itself, once it listens. */
  ownOrigin?: () => string;
  /** Other providers than the usual ones, by name. */
  providers?: readonly PaymentProvider[];
}

export function createPayments(base: PaymentServices, options: PaymentOptions = {}): Payments {
  const { config, db, jobs, keySets, log, now } = base;
  const ownOrigin = options.ownOrigin ?? (() => `http://127.0.0.1:${config.PORT}`);
  const sandbox = createSandbox({
    db,
    jobs,
    now,
    origin: publicOrigin(config),
    webhookUrl: () => `${reachable(ownOrigin())}/v1/payments/webhooks/sandbox`,
  });
  const providers = new Map<string, PaymentProvider>(
    (options.providers ?? [sandbox]).map((provider) => [provider.name, withTimeLimit(provider)]),
  );

  const customers = createStripeCustomers({ db, jobs, now });
  const providerWith = (keySet: KeySet): PaymentProvider =>
    withTimeLimit(
      createStripeProvider({ stripe: keySet.stripe, keySet, webhookSecrets: keySet.webhookSecrets, customers }),
    );

  const payments: Payments = {
    begin: (orderId) => beginPayment(context, orderId),
    async reconcile(orderId) {
      await reconcilePayment(context, orderId).catch((error: unknown) => {
        if (error instanceof AppError) throw error;
        log.warn({ err: error, order: orderId }, 'the payment provider could not be asked');
        throw new AppError('payment_unavailable', m.payment_not_known());
      });
    },
    readRefund: findRefund,
    payAgain: (orderId, method) => payAgain(context, orderId, method),
    async receiveWebhook(name, rawBody, header) {
      const provider = providers.get(name);
      if (!provider) throw new AppError('not_found', m.platform_not_found());
      const event = await provider.readWebhook(rawBody, header, now());
      if (!event) throw new AppError('forbidden', m.payment_webhook_unsigned());
      const payment = await db
        .selectFrom('payments')
        .select('order_id')
        .where('provider', '=', provider.name)
        .where('reference', '=', event.reference)
        .executeTakeFirst();
      // An account may be shared with other shops: messages about other shops' payments are ignored.
      if (payment) await reconcilePayment(context, payment.order_id, { provider: provider.name, id: event.id });
    },
    sweep: () => sweepPayments(context),
    due: {
      name: 'payments',
      due: (at) => sql<boolean>`
        exists (select from payments where check_at <= ${at}) or exists (select from refunds where check_at <= ${at})`,
      work: () => payments.sweep(),
    },
    async start() {
      for (const queue of Object.values(owedQueues)) {
        await jobs.work<OwedJob>(queue, ({ payment_id }) => settleOwed(context, payment_id));
      }
      await jobs.work<RefundJob>(refundQueue, ({ refund_id }) => settleRefund(context, refund_id));
      await jobs.work<ForgetJob>(forgetQueue, ({ key_set, customer }) =>
        forgetCustomer(context, { provider: 'stripe', key_set }, customer),
      );
      await sandbox.startDelivering();
    },
    sandbox,
  };
  const context: PaymentContext = {
    services: base,
    providerOf({ provider: name, key_set }) {
      const provider = providers.get(name) ?? (key_set === null ? null : providerWith(keySets.get(key_set)));
      if (!provider) throw new KeysRefused(`the payment provider ${name} is not set up`);
      return provider;
    },
    makerOf(provider) {
      if (providers.has(provider)) return { provider, key_set: null };
      const set = keySets.current();
      if (!set) throw new AppError('payment_unavailable', m.payment_no_provider());
      return { provider, key_set: set.id };
    },
  };
  return payments;
}

async function forgetCustomer(context: PaymentContext, made: PaymentMaker, customer: string): Promise<void> {
  await context.providerOf(made).forgetCustomer?.(customer);
}

/** A server that listens on every address is reached on the loopback one. */
function reachable(origin: string): string {
  return origin.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
}
