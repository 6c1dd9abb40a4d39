import { Link } from 'wouter';
import { m } from '#messages';
import { NumberSetting, OptionalNumberSetting } from '#store/web/manage/fields.tsx';
import classes from '#store/web/manage/manage.module.css';
import { SettingsSection, sectionFields } from '#store/web/manage/settings-section.tsx';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';

export function RetentionSection({ draft }: { draft: StoreDraft }) {
  return (
    <SettingsSection draft={draft} fields={sectionFields.kept} title={m.store_manage_kept()}>
      <p>{m.store_manage_kept_intro()}</p>
      <fieldset className={classes.panel}>
        <legend>{m.store_manage_kept_customers()}</legend>
        <OptionalNumberSetting draft={draft} field="keep_guest_days" hint={m.store_manage_keep_guest_hint()} />
        <OptionalNumberSetting
          draft={draft}
          field="keep_idle_account_months"
          hint={m.store_manage_keep_idle_account_hint()}
        />
        <p>{m.store_manage_keep_idle_account_when()}</p>
        <p>{m.store_manage_keep_idle_account_never()}</p>
      </fieldset>
      <fieldset className={classes.panel}>
        <legend>{m.store_manage_kept_log()}</legend>
        <NumberSetting draft={draft} field="keep_audit_months" hint={m.store_manage_keep_audit_hint()} />
        <p>
          {m.store_manage_keep_audit_when()} <Link href="/admin/audit">{m.store_manage_keep_audit_open()}</Link>
        </p>
      </fieldset>
      <p>{m.store_manage_kept_stores()}</p>
    </SettingsSection>
  );
}
