import { Checkbox } from '@mantine/core';
import { Link } from 'wouter';
import { m } from '#messages';
import { MoneyField } from '#ui/web/office/money-field.tsx';
import { isCardCurrency } from '#store/card-provider.ts';
import type { FulfilmentType, PaymentMethod } from '#store/contract.ts';
import {
  settingLabel,
  paymentMethodSettingWords,
  MoneySetting,
  NumberSetting,
  OptionalNumberSetting,
  SwitchSetting,
} from '#store/web/manage/fields.tsx';
import classes from '#store/web/manage/manage.module.css';
import { SettingsSection, sectionFields } from '#store/web/manage/settings-section.tsx';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import { FieldColumns } from '#ui/web/office/office-page.tsx';

const methods: readonly PaymentMethod[] = ['cash', 'card'];

export function OrderingSection({ draft }: { draft: StoreDraft }) {
  const { preview, store } = draft;
  return (
    <SettingsSection draft={draft} fields={sectionFields.ordering} title={m.store_manage_ordering()}>
      <fieldset className={classes.panel}>
        <legend>{m.store_manage_ways()}</legend>
        <SwitchSetting draft={draft} field="collection_enabled" />
        <SwitchSetting draft={draft} field="delivery_enabled" />
        {!preview.collection_enabled && !preview.delivery_enabled && (
          <p className={classes.warn}>{m.store_manage_no_way()}</p>
        )}
        <SwitchSetting draft={draft} field="guest_checkout" hint={m.store_manage_guest_hint()} />
      </fieldset>
      <fieldset className={classes.panel}>
        <legend>{settingLabel('payment_methods')}</legend>
        {store.card_provider === null && <NoCards currency={store.currency} />}
        <Methods draft={draft} fulfilment="collection" />
        <Methods draft={draft} fulfilment="delivery" />
        <MoneyField
          name="cash_max"
          label={settingLabel('cash_max')}
          description={m.store_manage_cash_max_hint()}
          currency={store.currency}
          value={preview.cash_max}
          empty={null}
          error={draft.errorAt('cash_max')}
          onChange={(amount) => draft.set('cash_max', amount)}
        />
      </fieldset>
      <fieldset className={classes.panel}>
        <legend>{m.store_manage_fees()}</legend>
        <FieldColumns>
          <MoneySetting draft={draft} field="service_fee" hint={m.store_manage_fee_hint()} />
          <MoneySetting draft={draft} field="bag_fee" hint={m.store_manage_fee_hint()} />
        </FieldColumns>
      </fieldset>
      <fieldset className={classes.panel}>
        <legend>{m.store_manage_limits()}</legend>
        <OptionalNumberSetting
          draft={draft}
          field="max_open_orders_per_person"
          hint={m.store_manage_max_open_orders_per_person_hint()}
        />
        <OptionalNumberSetting
          draft={draft}
          field="max_orders_per_address_hour"
          hint={m.store_manage_max_orders_per_address_hour_hint()}
        />
      </fieldset>
      <fieldset className={classes.panel}>
        <legend>{m.store_manage_answering()}</legend>
        <SwitchSetting draft={draft} field="auto_accept" hint={m.store_manage_auto_accept_hint()} />
        <NumberSetting draft={draft} field="answer_minutes" hint={m.store_manage_answer_hint()} />
        <SwitchSetting draft={draft} field="pause_when_unattended" hint={m.store_manage_unattended_hint()} />
      </fieldset>
      <fieldset className={classes.panel}>
        <legend>{m.store_manage_owner_mails()}</legend>
        <SwitchSetting draft={draft} field="mails_takings" hint={m.store_manage_mails_takings_hint()} />
      </fieldset>
    </SettingsSection>
  );
}

/** Explains why customers cannot pay by card, even if the payment method is ticked below. */
function NoCards({ currency }: { currency: string }) {
  if (!isCardCurrency(currency)) return <p className={classes.warn}>{m.store_card_currency({ currency })}</p>;
  return (
    <p className={classes.warn}>
      {m.store_manage_no_card_provider()} <Link href="/admin/payments/setup">{m.store_manage_set_up_cards()}</Link>
    </p>
  );
}

function Methods({ draft, fulfilment }: { draft: StoreDraft; fulfilment: FulfilmentType }) {
  const all = draft.preview.payment_methods;
  const isOffered = fulfilment === 'delivery' ? draft.preview.delivery_enabled : draft.preview.collection_enabled;
  return (
    <Checkbox.Group
      label={fulfilment === 'delivery' ? m.store_delivery() : m.store_collection()}
      value={all[fulfilment]}
      error={
        isOffered && all[fulfilment].length === 0
          ? m.store_manage_no_method()
          : draft.errorAt(`payment_methods.${fulfilment}`)
      }
      onChange={(values) =>
        draft.set('payment_methods', {
          ...all,
          [fulfilment]: methods.filter((method) => values.includes(method)),
        })
      }
    >
      {methods.map((method) => (
        <Checkbox key={method} value={method} label={paymentMethodSettingWords(method)} py="xs" />
      ))}
    </Checkbox.Group>
  );
}
