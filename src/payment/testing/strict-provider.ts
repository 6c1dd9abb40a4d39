import type { ProviderPayment, ProviderState } from '#payment/payment-state.ts';
import { ProviderRefusal, type PaymentProvider, type ProviderEvent } from '#payment/server/provider.ts';

/** The result of a call: success; lost on the way out; done, but the answer is lost; or refused for no reason. */
export type Mood = 'fine' | 'lost' | 'answer_lost' | 'refused';

interface Kept extends ProviderPayment {
  reference: string;
  paymentId: string;
  isHeld: boolean;
  /** Each time money really moved; it shows a call made twice with different keys. */
  captures: number;
  refunds: number;
  captured: number;
  refunded: number;
}

/**
 * A strict provider in memory: only its idempotency keys keep it from charging twice. Tests act as the
 * payer on its pages and disturb its network, one call at a time.
 */
export interface StrictProvider extends PaymentProvider {
  payments: Map<string, Kept>;
  /** The results of the next calls, in order; `fine` when it is empty. */
  moods: Mood[];
  payer(reference: string, state: 'authorised' | 'declined' | 'abandoned'): void;
  /** Delays the answer of the next call about a payment until its release; a second `hold` delays the call after it. */
  hold(reference: string | 'checkout'): Hold;
}

export interface Hold {
  /** Resolves when the call has taken effect. */
  reached: Promise<void>;
  release(): void;
}

export function createStrictProvider(): StrictProvider {
  const payments = new Map<string, Kept>();
  const answers = new Map<string, unknown>();
  const { moods, call, hold } = createNetwork();

  const once = <T>(key: string, work: () => T): T => {
    if (!answers.has(key)) answers.set(key, work());
    // Kept under its own key by the line above.
    return answers.get(key) as T;
  };

  const change = (
    reference: string,
    from: readonly ProviderState[],
    to: ProviderState,
    captured?: number,
  ): ProviderPayment => {
    const payment = get(reference);
    if (captured !== undefined && captured > payment.amount) throw new ProviderRefusal('more than was authorised');
    if (!from.includes(payment.state)) throw new ProviderRefusal(`${payment.state} cannot become ${to}`);
    payment.state = to;
    if (captured !== undefined) {
      payment.captures += 1;
      payment.captured = captured;
    }
    return view(payment);
  };

  // Without the key, the whole amount could be refunded again.
  const giveBack = (reference: string, part?: number): ProviderPayment => {
    const payment = get(reference);
    const { state, captured, refunded } = payment;
    const isPossible = state === 'captured' || (state === 'refunded' && part === undefined);
    const isTooMuch = part !== undefined && part > captured - refunded;
    if (!isPossible || isTooMuch) throw new ProviderRefusal(`${state} cannot be refunded so`);
    payment.refunds += 1;
    payment.refunded += part ?? captured - refunded;
    if (payment.refunded >= captured) payment.state = 'refunded';
    return view(payment);
  };

  const get = (reference: string): Kept => {
    const payment = payments.get(reference);
    if (!payment) throw new ProviderRefusal('there is no such payment');
    return payment;
  };

  return {
    name: 'sandbox',
    payments,
    moods,
    payer(reference, state) {
      const payment = get(reference);
      if (payment.state !== 'open') return;
      payment.state = state;
      if (state !== 'authorised' || payment.isHeld) return;
      Object.assign(payment, { state: 'captured', captures: 1, captured: payment.amount });
    },
    hold,
    createCheckout: ({ idempotencyKey, paymentId, amount, currency, isHeld }) =>
      call('checkout', () =>
        once(idempotencyKey, () => {
          const reference = `ref_${idempotencyKey}`;
          const none = { captures: 0, captured: 0, refunds: 0, refunded: 0 };
          payments.set(reference, { reference, paymentId, state: 'open', amount, currency, isHeld, ...none });
          return { reference, redirectUrl: `/pay/${reference}` };
        }),
      ),
    fetch: (reference) => call(reference, () => view(get(reference)), false),
    // Without the key, captured money could be captured again.
    capture: (reference, key, amount) =>
      call(reference, () => once(key, () => change(reference, ['authorised', 'captured'], 'captured', amount))),
    void: (reference, key) =>
      call(reference, () => once(key, () => change(reference, ['open', 'authorised'], 'voided'))),
    refund: (reference, key, amount) => call(reference, () => once(key, () => giveBack(reference, amount))),
    readWebhook: async (rawBody) => JSON.parse(rawBody) as ProviderEvent,
  };
}

function view({
  reference: _reference,
  isHeld: _isHeld,
  captures: _captures,
  refunds: _refunds,
  captured,
  ...seen
}: Kept): ProviderPayment {
  return { ...seen, ...(captured > 0 && { captured }) };
}

/** How calls reach the provider, and how their answers return. */
function createNetwork() {
  const moods: Mood[] = [];
  const holds: { about: string; reached: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> }[] = [];

  /** Yields to other work on the way there and back, as a network does. */
  const call = async <T>(about: string, work: () => T, isChange = true): Promise<T> => {
    const mood = moods.shift() ?? 'fine';
    const held = holds.findIndex((one) => one.about === about);
    const hold = held < 0 ? undefined : holds.splice(held, 1)[0];
    await new Promise(setImmediate);
    if (mood === 'lost') throw new Error('the network is down');
    if (mood === 'refused' && isChange) throw new ProviderRefusal('refused');
    const answer = work();
    hold?.reached.resolve();
    await (hold ? hold.released.promise : new Promise(setImmediate));
    if (mood === 'answer_lost') throw new Error('the answer was lost');
    return answer;
  };

  const hold = (about: string): Hold => {
    const next = { about, reached: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() };
    holds.push(next);
    return { reached: next.reached.promise, release: next.released.resolve };
  };

  return { moods, call, hold };
}
