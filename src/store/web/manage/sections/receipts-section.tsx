import { NativeSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { api } from '#platform/web/api.ts';
import type { FulfilmentType, StaffStore } from '#store/contract.ts';
import { settingLabel, LongTextSetting, OptionalTextSetting, SwitchSetting } from '#store/web/manage/fields.tsx';
import manage from '#store/web/manage/manage.module.css';
import classes from '#store/web/manage/sections/receipts-section.module.css';
import { SettingsSection, sectionFields } from '#store/web/manage/settings-section.tsx';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';

export function ReceiptsSection({ draft }: { draft: StoreDraft }) {
  return (
    <SettingsSection draft={draft} fields={sectionFields.receipts} title={m.store_manage_receipts()}>
      <div className={classes.beside}>
        <div className={classes.fields}>
          <SizeSetting draft={draft} field="receipt_kitchen_size" />
          <SizeSetting draft={draft} field="receipt_customer_size" />
          <SwitchSetting draft={draft} field="receipt_shows_logo" hint={m.store_manage_receipt_logo_hint()} />
          <SwitchSetting draft={draft} field="receipt_shows_map_code" />
          <SwitchSetting
            draft={draft}
            field="receipt_shows_order_code"
            hint={m.store_manage_receipt_order_code_hint()}
          />
          <OptionalTextSetting draft={draft} field="vat_number" maxLength={30} hint={m.store_manage_vat_hint()} />
          <LongTextSetting draft={draft} field="receipt_header" hint={m.store_manage_receipt_header_hint()} />
          <LongTextSetting draft={draft} field="receipt_footer" hint={m.store_manage_receipt_footer_hint()} />
        </div>
        <ReceiptPreview store={draft.preview} />
      </div>
    </SettingsSection>
  );
}

function SizeSetting({ draft, field }: { draft: StoreDraft; field: 'receipt_kitchen_size' | 'receipt_customer_size' }) {
  return (
    <NativeSelect
      name={field}
      label={settingLabel(field)}
      error={draft.errorAt(field)}
      value={draft.preview[field]}
      data={(['normal', 'large'] as const).map((size) => ({
        value: size,
        label: m.store_manage_receipt_size({ size }),
      }))}
      onChange={(event) => draft.set(field, event.currentTarget.value === 'large' ? 'large' : 'normal')}
    />
  );
}

function ReceiptPreview({ store }: { store: StaffStore }) {
  const [copy, setCopy] = useState<'customer' | 'kitchen'>('customer');
  const [type, setType] = useState<FulfilmentType>('delivery');
  const words = {
    copy,
    fulfilment_type: type,
    receipt_header: store.receipt_header,
    receipt_footer: store.receipt_footer,
    vat_number: store.vat_number ?? '',
    receipt_kitchen_size: store.receipt_kitchen_size,
    receipt_customer_size: store.receipt_customer_size,
    receipt_shows_logo: yesOrNo(store.receipt_shows_logo),
    receipt_shows_map_code: yesOrNo(store.receipt_shows_map_code),
    receipt_shows_order_code: yesOrNo(store.receipt_shows_order_code),
  };
  const [settled] = useDebouncedValue(JSON.stringify(words), 300);
  const { data, error } = useQuery({
    queryKey: ['receipt-preview', store.id, store.version, settled],
    queryFn: async ({ signal }) => {
      const query = JSON.parse(settled) as typeof words;
      return (await api('GET /v1/stores/{id}/receipt-preview', { id: store.id, ...query }, { signal, timeout: 20_000 }))
        .data;
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <section className={manage.panel} aria-label={m.store_manage_receipt_preview()}>
      <h3>{m.store_manage_receipt_preview()}</h3>
      <NativeSelect
        label={m.store_manage_receipt_copy()}
        value={copy}
        data={[
          { value: 'customer', label: m.kitchen_board_copy_customer() },
          { value: 'kitchen', label: m.kitchen_board_copy_kitchen() },
        ]}
        onChange={(event) => setCopy(event.currentTarget.value === 'kitchen' ? 'kitchen' : 'customer')}
      />
      <NativeSelect
        label={m.store_manage_receipt_sample()}
        value={type}
        data={(['delivery', 'collection'] as const).map((one) => ({
          value: one,
          label: m.store_manage_receipt_sample_of({ type: one }),
        }))}
        onChange={(event) => setType(event.currentTarget.value === 'collection' ? 'collection' : 'delivery')}
      />
      {error && <p className={manage.warn}>{refusalWords(error)}</p>}
      {data && (
        <div className={classes.paper}>
          <img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.svg)}`} alt={data.text} />
        </div>
      )}
    </section>
  );
}

function yesOrNo(is: boolean): 'true' | 'false' {
  return is ? 'true' : 'false';
}
