import type { PaymentOptions } from '#payment/server/payments.ts';
import { createStrictProvider, type StrictProvider } from '#payment/testing/strict-provider.ts';
import { evening, openPaymentBench, type PaymentBench } from '#payment/testing/bench.ts';

type Kept = NonNullable<ReturnType<StrictProvider['payments']['get']>>;

/** The bench with a strict provider, and with shortcuts to the orders that tests begin with. */
export interface CardBench extends PaymentBench {
  provider: StrictProvider;
  /** A working network, the first evening, and the shop as it was. */
  reset(): Promise<void>;
  /** An order whose payer did this on the provider's page; the shop has not been told yet. */
  paid(state: 'authorised' | 'declined' | 'abandoned'): Promise<{ id: string; url: string }>;
  /** An order with its payment authorised. */
  placed(): Promise<{ id: string; url: string }>;
  statesOf(orderId: string): Promise<unknown[]>;
  referenceOf(url: string): string;
  /** The provider's data of the payment on that page. */
  kept(url: string): Kept;
}

export async function openCardBench(options: Pick<PaymentOptions, 'banks' | 'eventHandlers'> = {}): Promise<CardBench> {
  const provider = createStrictProvider();
  const bench = await openPaymentBench(
    { ...options, providers: [provider], handlesEventsAtOnce: false },
    { ALERT_WEBHOOK_URL: 'https://alerts.example' },
  );
  await bench.payments.start();
  const paid: CardBench['paid'] = async (state) => {
    const id = await bench.newOrder();
    const url = await bench.payments.begin(id);
    provider.payer(referenceOf(url), state);
    return { id, url };
  };
  return {
    ...bench,
    provider,
    async reset() {
      provider.moods.length = 0;
      bench.clock.now = new Date(evening);
      await bench.changeStore({
        is_demo: true,
        auto_accept: false,
        cash_max: null,
        payment_methods: JSON.stringify({ collection: ['cash', 'card'], delivery: ['cash', 'card'] }),
      });
    },
    paid,
    async placed() {
      const order = await paid('authorised');
      await bench.payments.reconcile(order.id);
      return order;
    },
    statesOf: async (orderId) => (await bench.paymentsOf(orderId)).map(({ status }) => status),
    referenceOf,
    kept(url) {
      const kept = provider.payments.get(referenceOf(url));
      if (!kept) throw new Error(`the provider has no ${url}`);
      return kept;
    },
  };
}

function referenceOf(url: string): string {
  return url.replace('/pay/', '');
}
