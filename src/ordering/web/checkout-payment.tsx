import { m } from '#messages';
import { CheckoutSection } from '#ordering/web/checkout-section.tsx';
import { Choice } from '#ordering/web/checkout-when.tsx';
import { FieldErrorText, fieldId } from '#ui/web/field.tsx';
import { Icon } from '#ui/web/icon.tsx';
import type { FulfilmentType, PaymentMethod } from '#store/contract.ts';

interface CheckoutPaymentProps {
  methods: readonly PaymentMethod[];
  fulfilment: FulfilmentType;
  value: PaymentMethod;
  onChange: (method: PaymentMethod) => void;
  errors: readonly string[] | undefined;
}

export function CheckoutPayment({ methods, fulfilment, value, onChange, errors }: CheckoutPaymentProps) {
  const errorId = `${fieldId('payment_method')}-error`;
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
            <span className="grid">
              <span className="font-semibold">{paymentWords(method, fulfilment)}</span>
              <span className="text-sm text-ink-soft">
                {method === 'card' ? m.ordering_pay_card_hint() : m.ordering_pay_cash_hint()}
              </span>
            </span>
            <Icon name={method} className="size-6 self-center text-ink-soft" />
          </Choice>
        ))}
        <FieldErrorText id={errorId} errors={errors} />
      </div>
    </CheckoutSection>
  );
}

function paymentWords(method: PaymentMethod, fulfilment: FulfilmentType): string {
  if (method === 'card') return m.ordering_checkout_card();
  return fulfilment === 'delivery' ? m.ordering_pay_cash_delivery() : m.ordering_pay_cash_collection();
}
