import { sql } from 'kysely';
import { m } from '#messages';
import { publicOrigin } from '#payment/server/request-payment-page.ts';
import { beginPayment } from '#payment/server/begin-payment.ts';
import { bankEventHandler } from '#payment/server/bank/bank-events.ts';
import { isBankSweepDueSql, sweepBank } from '#payment/server/bank/sweep-bank.ts';
import { type BankEntriesJob, bankEntriesQueue } from '#payment/server/bank/save-entries.ts';
import { refreshPaymentBankEntries } from '#payment/server/bank/refresh-bank.ts';
import type { BankSource } from '#payment/server/bank-source.ts';
import type { PaymentContext, ProviderWithKeys } from '#payment/server/context.ts';
import { createPaymentContext } from '#payment/server/create-context.ts';
import type { PaymentEventHandler } from '#payment/server/events/event-rows.ts';
import { createEventWorker } from '#payment/server/events/event-worker.ts';
import { createWebhookReceiver } from '#payment/server/events/receive-webhook.ts';
import { type OwedCallJob, owedCallQueues, type RefundJob, refundQueue } from '#payment/server/owed-calls.ts';
import { type ForgetCustomerJob, forgetCustomerQueue } from '#payment/server/saved-cards.ts';
import type { KeyedProvider } from '#payment/server/keyed-providers.ts';
import { payAgain } from '#payment/server/pay-again.ts';
import type { PaymentProvider } from '#payment/server/provider.ts';
import { createWalletReader } from '#payment/server/read-wallets.ts';
import { reconcilePayment } from '#payment/server/reconcile.ts';
import { createSandbox } from '#payment/server/sandbox/sandbox.ts';
import { journalChainWork } from '#payment/server/journal/chains.ts';
import { findRefund } from '#payment/server/ledger.ts';
import { fetchPaymentsSinceBackup } from '#payment/server/since-copy/ask-providers.ts';
import { providerReadingDueSql } from '#payment/server/since-copy/provider-reads.ts';
import { refundUnknownPayment } from '#payment/server/since-copy/unknown-payments.ts';
import { settleOwedCall, settleRefund, sweepPayments } from '#payment/server/settle-payments.ts';
import { AppError } from '#platform/errors.ts';
import type { Payments, PaymentServices } from '#payment/server/services.ts';

export interface PaymentOptions {
  /** The origin at which this server can call itself, once it listens. */
  ownOrigin?: () => string;
  /** Providers that need no keys; by default the sandbox. */
  providers?: readonly PaymentProvider[];
  eventHandlers?: readonly PaymentEventHandler[];
  /** false: stored events wait until `handleEvents` is called. */
  handlesEventsAtOnce?: boolean;
  banks?: ReadonlyMap<string, BankSource>;
  others?: Readonly<Record<string, KeyedProvider>>;
}

export function createPayments(base: PaymentServices, options: PaymentOptions = {}): Payments {
  const { config, db, installationKeys, jobs, log, now, restored } = base;
  const ownOrigin = options.ownOrigin ?? (() => `http://127.0.0.1:${config.PORT}`);
  const sandbox = createSandbox({
    db,
    installationKeys,
    jobs,
    now,
    origin: publicOrigin(config),
    webhookUrl: () => `${ownOrigin()}/v1/payments/webhooks/sandbox`,
  });
  const context = createPaymentContext(base, options.providers ?? [sandbox], options);

  const readWallets = createWalletReader(context);

  const payments: Payments = {
    begin: (orderId) => beginPayment(context, orderId),
    async reconcile(orderId, isWhole = false) {
      // While a restored shop is held, nothing is reconciled. Once the owner continues the shop, the payments' later
      // states at the provider are applied.
      if (restored.isHeld()) return;
      await reconcilePayment(context, orderId, { isWhole }).catch((error: unknown) => {
        if (error instanceof AppError) throw error;
        log.warn({ err: error, order: orderId }, 'the payment provider could not be asked');
        throw new AppError('payment_unavailable', m.payment_not_known());
      });
    },
    readRefund: findRefund,
    wallets: async (provider) => (restored.isHeld() ? [] : readWallets(provider)),
    async payAgain(orderId, method, by) {
      if (restored.isHeld()) throw new AppError('payment_unavailable', m.store_pause_restored());
      return payAgain(context, orderId, method, by);
    },
    receiveWebhook: (name, rawBody, header) => webhook(name, rawBody, header),
    sweep: () => sweepPayments(context),
    handleEvents: async () => (restored.isHeld() ? 0 : events.work()),
    due: [
      {
        name: 'payments',
        due: (at) => sql<boolean>`
          exists (select from payments where check_at <= ${at}) or exists (select from refund_attempts where check_at <= ${at})`,
        work: () => payments.sweep(),
      },
      {
        name: 'payment events',
        due: (at) => sql<boolean>`exists (select from payment_events where check_at <= ${at})`,
        work: () => events.work(),
      },
      journalChainWork(db),
      { name: 'bank', due: isBankSweepDueSql, work: () => sweepBank(context) },
      {
        name: 'since the copy',
        due: providerReadingDueSql,
        work: () => fetchPaymentsSinceBackup(context),
        isDoneWhileHeld: true,
      },
    ],
    refundUnknownPayment: (id) => refundUnknownPayment(context, id),
    async start() {
      await startJobs(context);
      await sandbox.startDelivering();
      onStored();
    },
    stop: () => events.stop(),
    sandbox,
  };
  const events = createEventWorker(context, [...(options.eventHandlers ?? []), bankEventHandler]);
  const onStored = () => {
    if (options.handlesEventsAtOnce !== false && !restored.isHeld()) events.wake();
  };
  const webhook = createWebhookReceiver(context, onStored);
  return payments;
}

async function startJobs(context: PaymentContext): Promise<void> {
  const { jobs, keySets } = context.services;
  for (const queue of Object.values(owedCallQueues)) {
    await jobs.work<OwedCallJob>(queue, ({ payment_id }) => settleOwedCall(context, payment_id));
  }
  await jobs.work<RefundJob>(refundQueue, ({ refund_id }) => settleRefund(context, refund_id));
  await jobs.work<ForgetCustomerJob>(forgetCustomerQueue, ({ key_set, customer }) =>
    forgetCustomer(context, { provider: keySets.get(key_set).provider, key_set }, customer),
  );
  await jobs.work<BankEntriesJob>(bankEntriesQueue, ({ payment_id }) => refreshPaymentBankEntries(context, payment_id));
}

async function forgetCustomer(context: PaymentContext, made: ProviderWithKeys, customer: string): Promise<void> {
  await context.providerOf(made).forgetCustomer?.(customer);
}
