import { NativeSelect } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { m } from '#messages';
import { OfficePage, FieldColumns } from '#ui/web/office/office-page.tsx';
import { LoadingState } from '#ui/web/office/states.tsx';
import type { StaffStore } from '#store/contract.ts';
import classes from '#store/web/manage/manage-page.module.css';
import { ClosuresSection } from '#store/web/manage/sections/closures-section.tsx';
import { HoursSection } from '#store/web/manage/sections/hours-section.tsx';
import { NowSection } from '#store/web/manage/sections/now-section.tsx';
import { OrderingSection } from '#store/web/manage/sections/ordering-section.tsx';
import { ReceiptsSection } from '#store/web/manage/sections/receipts-section.tsx';
import { SlotsSection } from '#store/web/manage/sections/slots-section.tsx';
import { CustomerPreviewSection } from '#store/web/manage/sections/customer-preview-section.tsx';
import { ZonesSection } from '#store/web/manage/sections/zones-section.tsx';
import {
  SettingsSection,
  sectionFields,
  sectionLabels,
  type SettingsSectionName,
} from '#store/web/manage/settings-section.tsx';
import { type StoreDraft, useStoreDraft } from '#store/web/manage/use-store-draft.ts';
import type { StoreField } from '#store/store-changes.ts';
import { keysOf } from '#platform/keys-of.ts';
import { ConflictDialog, useLeaveGuard } from '#store/web/manage/draft-guards.tsx';
import { AddressSetting, LongTextSetting, OptionalTextSetting, TextSetting } from '#store/web/manage/fields.tsx';

function ContactSection({ draft }: { draft: StoreDraft }) {
  return (
    <SettingsSection
      draft={draft}
      fields={sectionFields.contact}
      title={m.store_manage_contact()}
      hint={m.store_manage_contact_hint()}
    >
      <FieldColumns>
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
      </FieldColumns>
      <LongTextSetting draft={draft} field="allergens_text" hint={m.store_manage_allergens_text_hint()} />
      <AddressSetting draft={draft} />
    </SettingsSection>
  );
}

const LookSection = lazy(async () => ({
  default: (await import('#store/web/manage/sections/look-section.tsx')).LookSection,
}));

const RetentionSection = lazy(async () => ({
  default: (await import('#store/web/manage/sections/retention-section.tsx')).RetentionSection,
}));

const sections: Record<SettingsSectionName, ComponentType<{ draft: StoreDraft }>> = {
  now: NowSection,
  hours: HoursSection,
  closures: ClosuresSection,
  view: CustomerPreviewSection,
  zones: ZonesSection,
  slots: SlotsSection,
  ordering: OrderingSection,
  contact: ContactSection,
  receipts: ReceiptsSection,
  kept: RetentionSection,
  look: LookSection,
};
const names = keysOf(sections);
const everyField: readonly StoreField[] = Object.values(sectionFields).flat();

export function ManagePage({ store }: { store: StaffStore }) {
  const draft = useStoreDraft(store);
  const [params] = useSearchParams();
  const [path, go] = useLocation();
  const current = names.find((name) => name === params.get('section')) ?? 'now';
  const Shown = sections[current];
  useLeaveGuard(draft.isChanged(everyField));
  const labelOf = (name: SettingsSectionName): string =>
    draft.isChanged(sectionFields[name])
      ? m.store_manage_section_changed({ section: sectionLabels[name]() })
      : sectionLabels[name]();

  return (
    <OfficePage title={m.office_page_manage()}>
      <div className={classes.page}>
        <nav className={classes.links} aria-label={m.store_manage_sections()}>
          {names.map((name) => (
            <Link
              key={name}
              href={`${path}?section=${name}`}
              aria-current={name === current ? 'page' : undefined}
              data-changed={draft.isChanged(sectionFields[name]) || undefined}
            >
              {labelOf(name)}
            </Link>
          ))}
        </nav>
        <NativeSelect
          className={classes.chooser}
          label={m.store_manage_sections()}
          value={current}
          data={names.map((name) => ({ value: name, label: labelOf(name) }))}
          onChange={(event) => go(`${path}?section=${event.currentTarget.value}`)}
        />
        <Suspense fallback={<LoadingState />}>
          <Shown key={current} draft={draft} />
        </Suspense>
      </div>
      <ConflictDialog draft={draft} />
    </OfficePage>
  );
}
