import { type KeyboardEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { setBasketCode, lastUnknownOfferCode } from '#ordering/web/basket/ask-price.ts';
import { lastPriceAnswer } from '#ordering/web/basket/server-price.ts';
import type { BasketView } from '#ordering/web/basket/basket-view.ts';
import type { BasketQuote } from '#ordering/basket.ts';
import { fieldId, InputField } from '#ui/web/field.tsx';
import { Icon } from '#ui/web/icon.tsx';
import { notify } from '#ui/web/notify.ts';

interface CodeRowProps {
  view: BasketView;
  /** The price that the page shows. Its discounts and problems tell whether the typed code applies. */
  price: BasketQuote;
}

export function OfferCodeRow({ view, price }: CodeRowProps) {
  const code = view.held.code ?? '';
  const waiting = (price.offers?.on_order ?? []).flatMap(
    (id) => view.store.offers?.find((offer) => offer.id === id) ?? [],
  );
  return (
    <div className="grid gap-1.5">
      {code === '' ? <CodeField /> : <CodeState code={code} price={price} />}
      {waiting.map(({ id, name }) => (
        <p key={id} className="text-sm text-ink-soft">
          {m.ordering_offer_on_order({ offer: name })} {view.offerWords(id)}
        </p>
      ))}
    </div>
  );
}

function CodeField() {
  const unknown = useSyncExternalStore(lastUnknownOfferCode.subscribe, lastUnknownOfferCode.read, () => null);
  const [typed, setTyped] = useState(unknown ?? '');
  const use = () => {
    lastUnknownOfferCode.set(null);
    if (typed.trim() !== '') setBasketCode(typed.trim());
  };
  // Enter checks the code. Its default action would place the checkout's order.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    use();
  };
  return (
    <details open={unknown !== null || undefined}>
      <summary className="link min-h-11 content-center">{m.ordering_code_have()}</summary>
      <InputField
        name="codes.0"
        label={m.ordering_code()}
        value={typed}
        maxLength={40}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        errors={unknown === null ? undefined : [m.ordering_code_unknown()]}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        beside={
          <button type="button" className="btn btn-quiet" onClick={use}>
            {m.ordering_code_use()}
          </button>
        }
      />
    </details>
  );
}

function CodeState({ code, price }: { code: string; price: BasketQuote }) {
  const answer = useSyncExternalStore(lastPriceAnswer.subscribe, lastPriceAnswer.read, () => null);
  const problem = price.problems.find(({ path }) => path === 'codes.0')?.message;
  const words = problem ?? codeWords(code, price, answer !== null && answer.quote === null);
  return (
    <div id={fieldId('codes.0')} tabIndex={-1} className="grid gap-1">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p className="font-semibold">{m.ordering_code_of({ code })}</p>
        <button type="button" className="link flex min-h-11 items-center gap-1" onClick={() => setBasketCode('')}>
          <Icon name="close" className="size-4" />
          {problem ? m.ordering_code_without() : m.ordering_code_remove()}
        </button>
      </div>
      <p role="status" className={`text-sm empty:hidden ${problem ? 'font-semibold text-bad-text' : 'text-ink-soft'}`}>
        {words}
      </p>
    </div>
  );
}

/**
 * Describes the state of a code that has no error message, e.g. that another discount is better. Empty if the totals
 * show the code's discount.
 */
function codeWords(code: string, { discounts, offers }: BasketQuote, isUnanswered: boolean): string {
  if (discounts.some((discount) => discount.code === code)) return '';
  if (!offers) return isUnanswered ? m.ordering_code_unchecked() : m.ordering_code_checking();
  if (offers.on_order.length === 0) return m.ordering_code_other_better();
  return [m.ordering_code_on_order(), ...(offers.conditions ?? []).map(({ sentence }) => sentence)].join(' ');
}

/** Puts a link's code into the basket, and removes the code from the page's address. */
export function LinkedOfferCode({ code, onTaken }: { code: string; onTaken: () => void }) {
  useEffect(() => {
    const typed = code.trim().slice(0, 40);
    if (typed !== '') {
      setBasketCode(typed);
      notify({ text: m.ordering_code_taken({ code: typed }) });
    }
    onTaken();
    // oxlint-disable-next-line react/exhaustive-deps -- runs once for the code of each link
  }, [code]);
  return null;
}
