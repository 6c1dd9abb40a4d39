import { m } from '#messages';
import type { Basket, BasketQuote } from '#ordering/basket.ts';
import { changeBasket } from '#ordering/web/basket/basket-store.ts';
import { api } from '#platform/web/api.ts';
import { createExternalStore } from '#platform/web/external-store.ts';

/**
 * The last code that the server did not know. The code is removed from the basket, because the server counts each quote
 * with an unknown code as a guess.
 */
export const lastUnknownOfferCode = createExternalStore<string | null>(() => null);

type OnAnswer = (answer: { asked: string; quote: BasketQuote | null }) => void;

const pause = 250;
let wanted = '';
let timer: ReturnType<typeof setTimeout>;

/** Debounces, then asks the server for the price of a basket. `asked` is the JSON of `[basket, version]`. */
export function askPrice(asked: string, onAnswer: OnAnswer): void {
  if (asked === wanted) return;
  wanted = asked;
  clearTimeout(timer);
  timer = setTimeout(() => void ask(asked, onAnswer), pause);
}

async function ask(asked: string, onAnswer: OnAnswer): Promise<void> {
  // The cast is safe: callers pass the JSON of a basket and the shop's version.
  const [basket] = JSON.parse(asked) as [Basket];
  const answer = await api('POST /v1/orders/quote', basket, { timeout: 15_000 }).catch(() => null);
  if (asked !== wanted) return;
  // After a failed call, the price is requested again at the next render.
  if (!answer) wanted = '';
  const problem = answer?.data.problems.find(({ code }) => code === 'code_not_valid');
  if (problem?.message === m.ordering_code_unknown()) {
    lastUnknownOfferCode.set(basket.codes?.[0] ?? '');
    setBasketCode('');
  }
  onAnswer({ asked, quote: answer?.data ?? null });
}

export function setBasketCode(code: string): void {
  changeBasket((held) => ({ ...held, code }));
}
