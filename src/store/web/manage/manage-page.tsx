import { NativeSelect } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { m } from '#messages';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { Waiting } from '#ui/web/office/states.tsx';
import type { StaffStore } from '#store/contract.ts';
import { ConflictDialog } from '#store/web/manage/conflict-dialog.tsx';
import classes from '#store/web/manage/manage-page.module.css';
import { ClosuresSection } from '#store/web/manage/sections/closures-section.tsx';
import { ContactSection } from '#store/web/manage/sections/contact-section.tsx';
import { HoursSection } from '#store/web/manage/sections/hours-section.tsx';
import { NowSection } from '#store/web/manage/sections/now-section.tsx';
import { OrderingSection } from '#store/web/manage/sections/ordering-section.tsx';
import { ReceiptsSection } from '#store/web/manage/sections/receipts-section.tsx';
import { SlotsSection } from '#store/web/manage/sections/slots-section.tsx';
import { ViewSection } from '#store/web/manage/sections/view-section.tsx';
import { ZonesSection } from '#store/web/manage/sections/zones-section.tsx';
import { sectionFields, type SectionName } from '#store/web/manage/section-fields.ts';
import { useLeaveGuard } from '#store/web/manage/use-leave-guard.ts';
import { type StoreDraft, useStoreDraft } from '#store/web/manage/use-store-draft.ts';
import type { Field } from '#store/store-changes.ts';
import { keysOf } from '#platform/keys-of.ts';

interface SectionRow {
  label: () => string;
  show: ComponentType<{ draft: StoreDraft }>;
}

const LookSection = lazy(async () => ({
  default: (await import('#store/web/manage/sections/look-section.tsx')).LookSection,
}));

const KeptSection = lazy(async () => ({
  default: (await import('#store/web/manage/sections/kept-section.tsx')).KeptSection,
}));

const sections: Record<SectionName, SectionRow> = {
  now: { label: m.store_manage_now, show: NowSection },
  hours: { label: m.store_manage_hours, show: HoursSection },
  closures: { label: m.store_manage_closures, show: ClosuresSection },
  view: { label: m.store_manage_view, show: ViewSection },
  zones: { label: m.store_manage_zones, show: ZonesSection },
  slots: { label: m.store_manage_slots, show: SlotsSection },
  ordering: { label: m.store_manage_ordering, show: OrderingSection },
  contact: { label: m.store_manage_contact, show: ContactSection },
  receipts: { label: m.store_manage_receipts, show: ReceiptsSection },
  kept: { label: m.store_manage_kept, show: KeptSection },
  look: { label: m.store_manage_look, show: LookSection },
};
const names = keysOf(sections);
const everyField: readonly Field[] = Object.values(sectionFields).flat();

/** All settings of a shop, in sections that are saved one by one. */
export function ManagePage({ store }: { store: StaffStore }) {
  const draft = useStoreDraft(store);
  const [params] = useSearchParams();
  const [path, go] = useLocation();
  const current = names.find((name) => name === params.get('section')) ?? 'now';
  const { show: Shown } = sections[current];
  useLeaveGuard(draft.isChanged(everyField));
  const labelOf = (name: SectionName): string =>
    draft.isChanged(sectionFields[name])
      ? m.store_manage_section_changed({ section: sections[name].label() })
      : sections[name].label();

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
        <Suspense fallback={<Waiting />}>
          <Shown key={current} draft={draft} />
        </Suspense>
      </div>
      <ConflictDialog draft={draft} />
    </OfficePage>
  );
}
