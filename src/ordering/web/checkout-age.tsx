import { m } from '#messages';
import { minAgeOf } from '#ordering/min-age.ts';
import type { BasketView } from '#ordering/web/basket-view.ts';
import { CheckoutSection } from '#ordering/web/checkout-section.tsx';
import { FieldErrorText, fieldId } from '#ui/web/field.tsx';

const name = 'age_confirmed';

interface CheckoutAgeProps {
  view: BasketView;
  errors: readonly string[] | undefined;
}

/** The customer's confirmation of the required age; nothing if no dish requires one. Asked again for each order. */
export function CheckoutAge({ view, errors }: CheckoutAgeProps) {
  const age = minAgeOf(view.lines.flatMap(({ line }) => view.index.items.get(line.item_id)?.item ?? []));
  if (age === null) return null;
  const id = fieldId(name);
  return (
    <CheckoutSection title={m.ordering_age_title({ age })}>
      <div className="grid gap-1.5">
        <label htmlFor={id} className="flex min-h-11 items-center gap-3 font-semibold">
          <input
            type="checkbox"
            id={id}
            name={name}
            required
            data-missing={m.ordering_age_unconfirmed({ age })}
            aria-describedby={`${id}-hint ${id}-error`}
            aria-invalid={errors ? true : undefined}
            className="size-6 shrink-0 accent-accent-edge"
          />
          {m.ordering_age_confirm({ age })}
        </label>
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {m.ordering_age_hint()}
        </p>
        <FieldErrorText id={`${id}-error`} errors={errors} />
      </div>
    </CheckoutSection>
  );
}
