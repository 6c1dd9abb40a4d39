import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { orderCallOptions, Failure, useOrderCall } from '#ordering/web/order/order-actions.tsx';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { TextAreaField } from '#ui/web/field.tsx';
import { TypedText } from '#ui/web/typed-text.tsx';

/** The form for the customer's rating, and a link to the public reviews. The link does not depend on the stars. */
export function RateOrder({ order, store }: { order: Order; store: Store }) {
  if (!order.rating && !order.actions.includes('rating')) return null;
  return (
    <section aria-labelledby="rate-title" className="card grid gap-4 p-5 sm:p-6">
      <h2 id="rate-title" className="text-2xl">
        {m.ordering_rate_title()}
      </h2>
      <div role="status" className="grid gap-2 empty:hidden">
        {order.rating && (
          <>
            <p className="font-semibold">{m.ordering_rate_done()}</p>
            <p>
              <span aria-hidden="true" className="text-2xl text-accent-text">
                {'★'.repeat(order.rating.stars)}
              </span>{' '}
              {m.ordering_rate_stars({ count: order.rating.stars })}
            </p>
            {order.rating.text && (
              <p>
                <TypedText text={order.rating.text} />
              </p>
            )}
          </>
        )}
      </div>
      {!order.rating && <RatingForm order={order} />}
      {store.google_review_url && (
        <p className="border-t border-line pt-4">
          {m.store_home_review_words()}{' '}
          <a
            href={store.google_review_url}
            className="link inline-flex min-h-11 items-center"
            target="_blank"
            rel="noreferrer"
          >
            {m.store_home_review()}
          </a>
        </p>
      )}
    </section>
  );
}

const choices = [1, 2, 3, 4, 5];

function RatingForm({ order }: { order: Order }) {
  const change = useOrderCall(order.id);
  const [stars, setStars] = useState(0);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (change.isPending) return;
    const text = String(new FormData(event.currentTarget).get('rating-text') ?? '');
    change.mutate(
      async () =>
        (await api('POST /v1/orders/{id}/rating', { id: order.id, stars, text }, orderCallOptions(order.id))).data,
    );
  };
  return (
    <form className="grid gap-4" onSubmit={send}>
      <p className="text-ink-soft">{m.ordering_rate_private()}</p>
      <fieldset className="flex">
        <legend className="sr-only">{m.ordering_rate_legend()}</legend>
        {choices.map((value) => (
          <label
            key={value}
            className="grid size-12 cursor-pointer place-items-center rounded-chip has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name="rating-stars"
              value={value}
              required
              checked={stars === value}
              onChange={() => setStars(value)}
              className="sr-only"
            />
            <span
              aria-hidden="true"
              className={`text-4xl leading-none ${value <= stars ? 'text-accent-text' : 'text-ink-soft'}`}
            >
              {value <= stars ? '★' : '☆'}
            </span>
            <span className="sr-only">{m.ordering_rate_stars({ count: value })}</span>
          </label>
        ))}
      </fieldset>
      <TextAreaField
        name="rating-text"
        label={m.ordering_rate_text()}
        optional={m.platform_optional()}
        maxLength={1000}
      />
      <div>
        <button type="submit" className="btn btn-primary" aria-disabled={change.isPending}>
          {m.ordering_rate_send()}
        </button>
      </div>
      <Failure error={change.error} />
    </form>
  );
}
