import { m } from '#messages';
import { FoldableCheckoutPart, type CheckoutParts, CheckoutSection } from '#ordering/web/checkout/checkout-parts.tsx';
import { RadioChoice } from '#ordering/web/checkout/checkout-when.tsx';
import { useQuery } from '@tanstack/react-query';
import { cardProviderOf } from '#platform/card-providers.ts';
import { intlLocale } from '#platform/language.ts';
import { api } from '#platform/web/api.ts';
import { walletNamesIn } from '#store/wallets.ts';
import { FieldErrorText, fieldId, InputField } from '#ui/web/field.tsx';
import { formatMoney } from '#platform/money.ts';
import type { BasketView } from '#ordering/web/basket/basket-view.ts';
import { unmetCardMinimumOfStore } from '#store/card-provider.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { FulfilmentType, PaymentMethod, Store } from '#store/contract.ts';
import { useState } from 'react';
import { tipPresets, type TipChoice } from '#ordering/web/checkout/tip-choice.ts';

interface CheckoutPaymentProps {
  parts: CheckoutParts;
  methods: readonly PaymentMethod[];
  /** The order's total in minor units; null until it is known. */
  total: number | null;
  view: BasketView;
  value: PaymentMethod;
  onChange: (method: PaymentMethod) => void;
  errors: readonly string[] | undefined;
}

export function CheckoutPayment({ parts, methods, total, view, value, onChange, errors }: CheckoutPaymentProps) {
  const { store, fulfilment } = view;
  const least = unmetCardMinimumOfStore(store, fulfilment, total);
  const errorId = `${fieldId('payment_method')}-error`;
  const walletNames = useWalletNames(store, methods);
  if (total === 0) {
    return (
      <CheckoutSection title={m.ordering_pay_title()}>
        <p className="font-semibold">{m.ordering_nothing_to_pay()}</p>
      </CheckoutSection>
    );
  }
  return (
    <FoldableCheckoutPart
      name="pay"
      parts={parts}
      title={m.ordering_pay_title()}
      summary={paymentWords(value, fulfilment, walletNames)}
    >
      <div
        id={fieldId('payment_method')}
        tabIndex={-1}
        role="radiogroup"
        aria-label={m.ordering_pay_title()}
        aria-describedby={errorId}
        className="grid gap-2 outline-none"
      >
        {methods.map((method) => (
          <RadioChoice key={method} name="payment" isChosen={method === value} onChoose={() => onChange(method)}>
            <span className="grid flex-1">
              <span className="font-semibold">{paymentWords(method, fulfilment, walletNames)}</span>
              <span className="text-sm text-ink-soft">
                {method === 'card' ? m.ordering_pay_card_hint() : m.ordering_pay_cash_hint()}
              </span>
            </span>
            <Icon name={method} className="size-6 self-center text-ink-soft" />
          </RadioChoice>
        ))}
        {least !== null && (
          <p className="text-ink-soft">
            {m.ordering_card_minimum_hint({ amount: formatMoney(least, store.currency) })}
          </p>
        )}
        <FieldErrorText id={errorId} errors={errors} />
      </div>
    </FoldableCheckoutPart>
  );
}

/** The wallets that the provider's page may offer to this browser; empty until the shop has answered. */
function useWalletNames({ id, card_provider: provider }: Store, methods: readonly PaymentMethod[]): string[] {
  const { data = [] } = useQuery({
    queryKey: ['wallets', id, provider],
    enabled: provider !== null && cardProviderOf(provider).hasKeys && methods.includes('card'),
    queryFn: async ({ signal }) => (await api('GET /v1/stores/{id}/wallets', { id }, { signal, timeout: 15_000 })).data,
    staleTime: Infinity,
    retry: false,
  });
  return walletNamesIn(window, data);
}

function paymentWords(method: PaymentMethod, fulfilment: FulfilmentType, walletNames: readonly string[]): string {
  if (method === 'card') {
    if (walletNames.length === 0) return m.ordering_checkout_card();
    const list = new Intl.ListFormat(intlLocale(), { type: 'disjunction' });
    return m.ordering_checkout_card_wallets({ wallets: list.format(walletNames) });
  }
  return fulfilment === 'delivery' ? m.ordering_pay_cash_delivery() : m.ordering_pay_cash_collection();
}

interface CheckoutTipProps {
  currency: string;
  value: TipChoice;
  onChange: (tip: TipChoice) => void;
  /** The error of the typed amount, which is shown once its field was left. */
  problem: string | null;
  errors: readonly string[] | undefined;
}

export function CheckoutTip({ currency, value, onChange, problem, errors }: CheckoutTipProps) {
  const [isLeft, setLeft] = useState(true);
  const isOther = value.preset === null;
  return (
    <CheckoutSection title={m.ordering_tip_title()}>
      <div role="radiogroup" aria-label={m.ordering_tip_title()} className="flex flex-wrap gap-1">
        {tipPresets.map((preset) => (
          <Chip
            key={preset}
            value={String(preset)}
            isChosen={value.preset === preset}
            onChoose={() => onChange({ ...value, preset })}
          >
            {preset === 0 ? m.ordering_tip_none() : formatMoney(preset, currency)}
          </Chip>
        ))}
        <Chip value="other" isChosen={isOther} onChoose={() => onChange({ ...value, preset: null })}>
          {m.ordering_tip_other()}
        </Chip>
      </div>
      {isOther && (
        <div className="[&_input]:max-w-40">
          <InputField
            name="tip"
            label={m.ordering_tip_amount()}
            inputMode="decimal"
            maxLength={20}
            value={value.text}
            onChange={(event) => {
              setLeft(false);
              onChange({ preset: null, text: event.target.value });
            }}
            onBlur={() => setLeft(true)}
            errors={errors ?? (isLeft && problem ? [problem] : undefined)}
          />
        </div>
      )}
    </CheckoutSection>
  );
}

interface ChipProps {
  value: string;
  isChosen: boolean;
  onChoose: () => void;
  children: string;
}

function Chip({ value, isChosen, onChoose, children }: ChipProps) {
  return (
    <label className="num inline-flex min-h-11 items-center rounded-full border border-line-strong px-2 text-[0.8125rem] font-semibold has-checked:border-ink has-checked:bg-ink has-checked:text-paper has-checked:forced-color-adjust-none has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text">
      <input type="radio" name="tip_choice" value={value} className="sr-only" checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}
