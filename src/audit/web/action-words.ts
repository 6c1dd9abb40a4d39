import type { AuditLine } from '#audit/contract.ts';
import { m } from '#messages';
import { formatMoney } from '#platform/money.ts';

const things: Record<string, () => string> = {
  stores: m.audit_thing_store,
  menus: m.audit_thing_menu,
  categories: m.audit_thing_category,
  items: m.audit_thing_item,
  options: m.audit_thing_option,
  'option-groups': m.audit_thing_group,
  'app-releases': m.audit_thing_release,
  staff: m.audit_thing_staff,
  'sign-in-providers': m.audit_thing_sign_in_provider,
  printers: m.audit_thing_printer,
  complaints: m.audit_thing_complaint,
  offers: m.audit_thing_offer,
};

/** The text of each call, by a pattern for its method and path. The first match counts. */
const wordsByCall: readonly [pattern: RegExp, words: () => string][] = [
  [/\/menus\/changes$/, m.audit_did_changes],
  [/\/menu-imports$/, m.audit_did_import],
  [/\/menu-imports\/\{id\}\/undo$/, m.audit_did_import_undo],
  [/\/stores\/\{id\}\/pause$/, m.audit_did_pause],
  [/\/stores\/\{id\}\/resume$/, m.audit_did_resume],
  [/\/stores\/\{id\}\/close-early$/, m.audit_did_close_early],
  [/\/stores\/\{id\}\/busy$/, m.audit_did_busy],
  [/\/stores\/\{id\}\/heard$/, m.audit_did_heard],
  [/\/stores\/\{id\}\/first-evening$/, m.audit_did_first_evening],
  [/\/availability$/, m.audit_did_availability],
  [/\/categories\/\{id\}\/items\/add$/, m.audit_did_add_dish],
  [/\/categories\/\{id\}\/items\/remove$/, m.audit_did_remove_dish],
  [/\/option-groups\/add$/, m.audit_did_add_choices],
  [/\/option-groups\/remove$/, m.audit_did_remove_choices],
  [/\/options\/add$/, m.audit_did_add_option],
  [/\/options\/remove$/, m.audit_did_remove_option],
  [/\/orders\/\{id\}\/lines\/remove$/, m.audit_did_take_off],
  [/\/orders\/\{id\}\/lines\/done$/, m.audit_did_tick],
  [/\/reorder$/, m.audit_did_reorder],
  [/\/restored\/continue$/, m.audit_did_go_on],
  [/\/restored\/ask$/, m.audit_did_ask_provider],
  [/\/restored\/payments\/\{id\}\/refund$/, m.audit_did_refund_unknown],
  [/^POST \/v1\/backups$/, m.audit_did_back_up],
  [/^POST \/v1\/backup-place$/, m.audit_did_set_backup_place],
  [/^DELETE \/v1\/backup-place$/, m.audit_did_remove_backup_place],
  [/\/backup-place\/passphrase$/, m.audit_did_set_passphrase],
  [/\/backup-place\/sheet$/, m.audit_did_confirm_sheet],
  [/\/restore$/, m.audit_did_restore],
  [/^GET \/v1\/customers$/, m.audit_did_read_customers],
  [/^GET \/v1\/mail$/, m.audit_did_read_mails],
  [/^GET \/v1\/customers/, m.audit_did_read_customer],
  [/^GET \/v1\/complaints/, m.audit_did_read_complaint],
  [/^POST \/v1\/complaints$/, m.audit_did_complain],
  [/\/complaints\/\{id\}\/answer$/, m.audit_did_answer_complaint],
  [/\/complaints\/\{id\}\/forget$/, m.audit_did_forget_complaint],
  [/^GET \/v1\/mail/, m.audit_did_read_mail],
  [/^GET \/v1\/auth\/user\/export$/, m.audit_did_export],
  [/\/auth\/login$|\/auth\/social\/|^POST \/v1\/setup$/, m.audit_did_sign_in],
  [/\/orders\/\{id\}\/forget$/, m.audit_did_forget_guest],
  [/^DELETE \/v1\/customers/, m.audit_did_forget_customer],
  [/\/accept$/, m.audit_did_accept],
  [/\/reject$/, m.audit_did_reject],
  [/\/packed$/, m.audit_did_packed],
  [/\/collected-by-driver$/, m.audit_did_driver],
  [/\/collected-by-customer$/, m.audit_did_collected],
  [/\/delivered-to-customer$/, m.audit_did_delivered],
  [/\/followed-up$/, m.audit_did_follow_up],
  [/\/promise$/, m.audit_did_promise],
  [/\/orders\/\{id\}\/undo$/, m.audit_did_undo],
  [/\/cancel$/, m.audit_did_cancel],
  [/\/sign-in-(providers\/\{id\}\/)?trial$/, m.audit_did_sign_in_trial],
  [/\/print-receipt$|\/print-temp-order$/, m.audit_did_print],
  [/\/printers\/\{id\}\/test$/, m.audit_did_print_test],
  [/\/offers\/\{id\}\/codes$/, m.audit_did_offer_codes],
  [/\/rotate-secret$/, m.audit_did_printer_secret],
  [/\/orders\/\{id\}\/push(\/stop)?$/, m.audit_did_order_push],
  [/\/push\/devices\/\{id\}\/test$/, m.audit_did_push_test],
  [/\/mail-tests$/, m.audit_did_mail_test],
  [/^DELETE \/v1\/push\/devices/, m.audit_did_push_off],
  [/\/push\/devices$/, m.audit_did_push_on],
  [/\/prints\/\{id\}\/read$/, m.audit_did_read_print],
  [/\/printers\/\{id\}\/report$/, m.audit_did_printer_report],
  [/\/refunds$|\/refunds\/\{id\}\/retry$/, m.audit_did_refund],
  [/\/mark-paid$/, m.audit_did_mark_paid],
  [/\/orders\/\{id\}\/pay$/, m.audit_did_pay],
  [/\/payment\/reconcile$/, m.audit_did_reconcile],
  [/^POST \/v1\/orders$/, m.audit_did_order],
  [/\/devices\/codes$/, m.audit_did_device_code],
  [/\/devices\/sign-in$/, m.audit_did_device_in],
  [/^DELETE \/v1\/devices/, m.audit_did_device_out],
  [/^PATCH \/v1\/devices/, m.audit_did_device_change],
  [/\/app-releases\/play-signing$/, m.audit_did_play_signing],
  [/\/app-releases\/\{id\}\/publish$/, m.audit_did_publish],
  [/^DELETE \/v1\/app-releases/, m.audit_did_withdraw],
  [/\/uploads$|\/app-releases\/files$/, m.audit_did_upload],
  [/^POST \/v1\/staff$|\/invite$/, m.audit_did_invite],
  [/\/logout-everywhere$/, m.audit_did_sign_out],
  [/\/staff\/\{id\}\/factors$/, m.audit_did_remove_factors],
  [/\/auth\/proof$/, m.audit_did_proof],
  [/^DELETE \/v1\/auth\/factors$/, m.audit_did_start_factors],
  [/^PATCH \/v1\/auth\/password$/, m.audit_did_start_password],
  [/\/auth\/(passkeys|totp|recovery-codes|factors)/, m.audit_did_factors],
  [/\/auth\/password$|\/reset-password$/, m.audit_did_password],
  [/^PATCH \/v1\/auth\/user$|^POST \/v1\/auth\/user\/addresses$/, m.audit_did_own_details],
  [/^DELETE \/v1\/auth\/user$/, m.audit_did_own_deletion],
];

/** A call in the past tense, such as `Changed a dish`; null if there is no text for it. */
export function actionWords(action: string): string | null {
  const found = wordsByCall.find(([pattern]) => pattern.test(action));
  if (found) return found[1]();
  const [method = '', path = ''] = action.split(' ');
  const thing = things[path.split('/')[2] ?? '']?.();
  if (!thing) return null;
  if (method === 'POST') return m.audit_made({ thing });
  if (method === 'PATCH') return m.audit_changed({ thing });
  return method === 'DELETE' ? m.audit_deleted({ thing }) : null;
}

/** A field's name for people: `paused_until` is `Paused until`. */
export function auditFieldWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The fields that hold amounts of money, in minor units. */
const money = new Set([
  'price',
  'fee',
  'minimum_order',
  'free_over',
  'cash_max',
  'amount',
  'tip',
  'expected_total',
  'minimum_subtotal',
]);

/** A sent value as text; amounts of money and VAT rates are formatted, objects are JSON. */
export function auditValueWords(name: string, value: unknown, currency: string): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? m.audit_yes() : m.audit_no();
  if (typeof value === 'number' && money.has(name)) return formatMoney(value, currency);
  if (typeof value === 'number' && name === 'vat_rate') return m.menu_edit_percent({ percent: value / 100 });
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Describes the API call that an audit line records, and whether the call was refused. */
export function auditLineWords({
  action,
  summary,
  outcome,
}: Pick<AuditLine, 'action' | 'summary' | 'outcome'>): string {
  const what = actionWords(action) ?? summary;
  switch (outcome) {
    case 'refused':
      // A sign-in that was `refused` had the right password and stopped at the second factor: a wrong password is
      // `failed`.
      return action === 'POST /v1/auth/login' ? m.audit_stopped() : m.audit_refused({ what });
    case 'throttled':
      return m.audit_throttled({ what });
    case 'failed':
      return m.audit_failed();
    case null:
      return what;
  }
}
