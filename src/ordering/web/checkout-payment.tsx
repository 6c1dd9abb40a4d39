import { m } from '#messages';
import { CheckoutSection } from '#ordering/web/checkout-section.tsx';
import { Choice } from '#ordering/web/checkout-when.tsx';
import { FieldErrorText, fieldId } from '#ui/web/field.tsx';
import { formatMoney } from '#platform/money.ts';
import type { BasketView } from '#ordering/web/basket-view.ts';
import { cardMinimum } from '#store/card-provider.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { FulfilmentType, PaymentMethod } from '#store/contract.ts';

interface CheckoutPaymentProps {
  methods: readonly PaymentMethod[];
  /** Minor units; null until it is known. */
  total: number | null;
  view: BasketView;
  value: PaymentMethod;
  onChange: (method: PaymentMethod) => void;
  errors: readonly string[] | undefined;
}

export function CheckoutPayment({ methods, total, view, value, onChange, errors }: CheckoutPaymentProps) {
  const { store, fulfilment } = view;
  const least = cardMinimum(store, fulfilment, total);
  const errorId = `${fieldId('payment_method')}-error`;
  if (total === 0) {
    return (
      <CheckoutSection title={m.ordering_pay_title()}>
        <p className="font-semibold">{m.ordering_nothing_to_pay()}</p>
      </CheckoutSection>
    );
  }
  return (
    <CheckoutSection title={m.ordering_pay_title()}>
      <div
        id={fieldId('payment_method')}
        tabIndex={-1}
        role="radiogroup"
        aria-label={m.ordering_pay_title()}
        aria-describedby={errorId}
        className="grid gap-2 outline-none"
      >
        {methods.map((method) => (
          <Choice key={method} name="payment" isChosen={method === value} onChoose={() => onChange(method)}>
            <span className="grid flex-1">
              <span className="font-semibold">{paymentWords(method, fulfilment)}</span>
              <span className="text-sm text-ink-soft">
                {method === 'card' ? m.ordering_pay_card_hint() : m.ordering_pay_cash_hint()}
              </span>
            </span>
            <Icon name={method} className="size-6 self-center text-ink-soft" />
          </Choice>
        ))}
        {least !== null && (
          <p className="text-ink-soft">
            {m.ordering_card_minimum_hint({ amount: formatMoney(least, store.currency) })}
          </p>
        )}
        <FieldErrorText id={errorId} errors={errors} />
      </div>
    </CheckoutSection>
  );
}

function paymentWords(method: PaymentMethod, fulfilment: FulfilmentType): string {
  if (method === 'card') return m.ordering_checkout_card();
  return fulfilment === 'delivery' ? m.ordering_pay_cash_delivery() : m.ordering_pay_cash_collection();
}
