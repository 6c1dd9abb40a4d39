import { TextInput } from '@mantine/core';
import { m } from '#messages';
import type { StoreAddress } from '#store/contract.ts';
import { fieldLabel, LongTextSetting, OptionalTextSetting, TextSetting } from '#store/web/manage/fields.tsx';
import classes from '#store/web/manage/manage.module.css';
import { Section, sectionFields } from '#store/web/manage/section.tsx';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import { SideBySide } from '#ui/web/office/side-by-side.tsx';

/** The shop's name, contact and legal details. */
export function ContactSection({ draft }: { draft: StoreDraft }) {
  const { address } = draft.preview;
  const labels: Record<keyof StoreAddress, string> = {
    line1: m.store_manage_line1(),
    line2: m.store_manage_line2(),
    city: m.store_manage_city(),
    postcode: m.store_manage_postcode(),
  };
  return (
    <Section
      draft={draft}
      fields={sectionFields.contact}
      title={m.store_manage_contact()}
      hint={m.store_manage_contact_hint()}
    >
      <SideBySide>
        <TextSetting draft={draft} field="name" maxLength={80} />
        <TextSetting draft={draft} field="legal_name" maxLength={200} hint={m.store_manage_legal_hint()} />
        <OptionalTextSetting draft={draft} field="company_number" maxLength={20} hint={m.store_manage_company_hint()} />
        <TextSetting draft={draft} field="phone" type="tel" inputMode="tel" maxLength={200} />
        <TextSetting draft={draft} field="email" type="email" inputMode="email" maxLength={200} />
        <OptionalTextSetting
          draft={draft}
          field="google_review_url"
          type="url"
          inputMode="url"
          hint={m.store_manage_review_hint()}
        />
      </SideBySide>
      <LongTextSetting draft={draft} field="allergens_text" hint={m.store_manage_allergens_text_hint()} />
      <fieldset className={classes.panel}>
        <legend>{fieldLabel('address')}</legend>
        <SideBySide>
          {(['line1', 'line2', 'city', 'postcode'] as const).map((part) => (
            <TextInput
              key={part}
              name={`address.${part}`}
              label={labels[part]}
              value={address[part]}
              error={draft.errorAt(`address.${part}`)}
              onChange={(event) => draft.set('address', { ...address, [part]: event.currentTarget.value })}
            />
          ))}
        </SideBySide>
      </fieldset>
    </Section>
  );
}
