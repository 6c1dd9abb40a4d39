import { Button, Group, NativeSelect, Radio, TextInput } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { m } from '#messages';
import { OfficePage, SideBySide } from '#ui/web/office/office-page.tsx';
import { LoadingState } from '#ui/web/office/states.tsx';
import type { StaffStore, StoreAddress } from '#store/contract.ts';
import classes from '#store/web/manage/manage-page.module.css';
import { ClosuresSection } from '#store/web/manage/sections/closures-section.tsx';
import { HoursSection } from '#store/web/manage/sections/hours-section.tsx';
import { NowSection } from '#store/web/manage/sections/now-section.tsx';
import { OrderingSection } from '#store/web/manage/sections/ordering-section.tsx';
import { ReceiptsSection } from '#store/web/manage/sections/receipts-section.tsx';
import { SlotsSection } from '#store/web/manage/sections/slots-section.tsx';
import { ViewSection } from '#store/web/manage/sections/view-section.tsx';
import { ZonesSection } from '#store/web/manage/sections/zones-section.tsx';
import {
  SettingsSection,
  sectionFields,
  sectionLabels,
  type SectionName,
} from '#store/web/manage/settings-section.tsx';
import { type SaveConflict, type StoreDraft, useStoreDraft } from '#store/web/manage/use-store-draft.ts';
import type { StoreField } from '#store/store-changes.ts';
import { keysOf } from '#platform/keys-of.ts';
import { navigate } from 'wouter/use-browser-location';
import { confirm, Dialog } from '#ui/web/office/dialogs.tsx';
import {
  settingLabel,
  LongTextSetting,
  OptionalTextSetting,
  TextSetting,
  settingValueLines,
} from '#store/web/manage/fields.tsx';
import conflictDialogClasses from '#store/web/manage/conflict-dialog.module.css';
import manageClasses from '#store/web/manage/manage.module.css';

function ContactSection({ draft }: { draft: StoreDraft }) {
  const { address } = draft.preview;
  const labels: Record<keyof StoreAddress, string> = {
    line1: m.store_manage_line1(),
    line2: m.store_manage_line2(),
    city: m.store_manage_city(),
    postcode: m.store_manage_postcode(),
  };
  return (
    <SettingsSection
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
      <fieldset className={manageClasses.panel}>
        <legend>{settingLabel('address')}</legend>
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
    </SettingsSection>
  );
}

const LookSection = lazy(async () => ({
  default: (await import('#store/web/manage/sections/look-section.tsx')).LookSection,
}));

const RetentionSection = lazy(async () => ({
  default: (await import('#store/web/manage/sections/retention-section.tsx')).RetentionSection,
}));

const sections: Record<SectionName, ComponentType<{ draft: StoreDraft }>> = {
  now: NowSection,
  hours: HoursSection,
  closures: ClosuresSection,
  view: ViewSection,
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
  const labelOf = (name: SectionName): string =>
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

/** Asks before leaving the page with unsaved changes. Moving between its sections does not ask. */
function useLeaveGuard(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    let hasAgreed = false;
    const ask = async (url: URL): Promise<void> => {
      const goes = await confirm({
        title: m.store_manage_leave_title(),
        body: m.store_manage_leave_words(),
        action: m.store_manage_leave(),
        isDangerous: true,
      });
      if (!goes) return;
      hasAgreed = true;
      if (url.origin === location.origin) navigate(url.pathname + url.search);
      else location.assign(url);
    };
    const stop = (event: Event, href: string): void => {
      const url = new URL(href, location.href);
      if (hasAgreed || !event.cancelable || url.pathname === location.pathname) return;
      event.preventDefault();
      void ask(url);
    };
    const onUnload = (event: Event): void => {
      if (!hasAgreed) event.preventDefault();
    };
    const onNavigate = (event: NavigateEvent): void => stop(event, event.destination.url);
    // This listener is for browsers without the Navigation API; it covers links only.
    const onClick = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (link && !event.ctrlKey && !event.metaKey) stop(event, link.getAttribute('href') ?? '');
    };
    const hasNavigation = 'navigation' in window;
    addEventListener('beforeunload', onUnload);
    if (hasNavigation) navigation.addEventListener('navigate', onNavigate);
    else document.addEventListener('click', onClick, true);
    return () => {
      removeEventListener('beforeunload', onUnload);
      if (hasNavigation) navigation.removeEventListener('navigate', onNavigate);
      else document.removeEventListener('click', onClick, true);
    };
  }, [isChanged]);
}

/** Shows the owner's input beside the values that another person saved, and asks the owner to choose for each field. */
function ConflictDialog({ draft }: { draft: StoreDraft }) {
  return draft.conflict && <Choices draft={draft} conflict={draft.conflict} />;
}

function Choices({ draft, conflict: { fields, current } }: { draft: StoreDraft; conflict: SaveConflict }) {
  const [chosen, setChosen] = useState<Partial<Record<StoreField, 'mine' | 'theirs'>>>({});
  const isSettled = fields.every((field) => chosen[field]);
  return (
    <Dialog opened size="lg" onClose={() => draft.resolve(null)} title={m.store_manage_conflict_title()}>
      <p>{m.store_manage_conflict_hint()}</p>
      {fields.map((field) => (
        <Radio.Group
          key={field}
          className={conflictDialogClasses.conflict}
          label={settingLabel(field)}
          value={chosen[field] ?? null}
          onChange={(choice) => setChosen({ ...chosen, [field]: choice === 'mine' ? 'mine' : 'theirs' })}
        >
          <Radio
            value="mine"
            label={m.store_manage_conflict_mine()}
            description={<Value field={field} store={draft.preview} />}
          />
          <Radio
            value="theirs"
            label={m.store_manage_conflict_theirs()}
            description={<Value field={field} store={current} />}
          />
        </Radio.Group>
      ))}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => draft.resolve(null)}>
          {m.platform_cancel()}
        </Button>
        <Button
          disabled={!isSettled}
          onClick={() => draft.resolve(new Set(fields.filter((field) => chosen[field] === 'mine')))}
        >
          {m.store_manage_conflict_save()}
        </Button>
      </Group>
    </Dialog>
  );
}

function Value({ field, store }: { field: StoreField; store: StaffStore }) {
  const lines = settingValueLines(field, store);
  return (
    <span className={conflictDialogClasses.lines}>
      {lines.length === 0 ? m.store_manage_nothing() : lines.map((line) => <span key={line}>{line}</span>)}
    </span>
  );
}
