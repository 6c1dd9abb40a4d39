import { m } from '#messages';
import type { OfficePagePath } from '#office-pages.ts';
import { foldedWordsOf, foldText, searchWords } from '#platform/fold-text.ts';
import type { SettingsSectionName } from '#store/web/manage/settings-section.tsx';

/** The rank of a result that matches in another field than its name, such as a phone number. */
export const serverResultRank = 4;

/**
 * Ranks how a name matches a search; 0 is best, null is no match. The ranks in order: the whole name, its beginning,
 * whole words, beginnings of words, beginnings of words or synonyms, middles of words.
 */
export function searchRank(typed: string, name: string, synonyms = ''): number | null {
  const wanted = searchWords(typed);
  const words = foldedWordsOf(name);
  const said = wanted.join(' ');
  if (words.join(' ') === said) return 0;
  if (words.join(' ').startsWith(said)) return 1;
  if (wanted.every((word) => words.includes(word))) return 2;
  const beginsIn = (all: readonly string[]) => wanted.every((word) => all.some((one) => one.startsWith(word)));
  if (beginsIn(words)) return 3;
  if (beginsIn([...words, ...foldedWordsOf(synonyms)])) return 4;
  const folded = foldText(name);
  return wanted.every((word) => folded.includes(word)) ? 5 : null;
}

/** The order number in `12`, `#12` or `order 12`; null for other texts. */
export function orderNumberOf(typed: string): string | null {
  return /^(?:order\b)?\s*(?:no\.?|number)?\s*#?\s*(\d+)$/i.exec(typed)?.[1] ?? null;
}

export const pageSynonyms: Partial<Record<OfficePagePath, () => string>> = {
  '/admin/set-up': m.office_find_set_up,
  '/store/orders': m.office_find_orders,
  '/kitchen': m.office_find_kitchen,
  '/admin/menuEditor': m.office_find_menu_editor,
  '/admin/menus': m.office_find_menus,
  '/admin/categories': m.office_find_categories,
  '/admin/items': m.office_find_items,
  '/admin/option-groups': m.office_find_option_groups,
  '/admin/options': m.office_find_options,
  '/admin/offers': m.office_find_offers,
  '/admin/paper': m.office_find_paper,
  '/admin/import': m.office_find_import,
  '/admin/stores': m.office_find_stores,
  '/admin/devices': m.office_find_devices,
  '/admin/releases': m.office_find_releases,
  '/admin/printers': m.office_find_printers,
  '/admin/backups': m.office_find_backups,
  '/admin/reports': m.office_find_reports,
  '/admin/payments': m.office_find_payments,
  '/admin/payments/setup': m.office_find_payment_setup,
  '/admin/customers': m.office_find_customers,
  '/admin/staff': m.office_find_staff,
  '/kitchen/my-sign-in': m.office_find_my_sign_in,
  '/admin/sign-in': m.office_find_sign_in,
  '/admin/complaints': m.office_find_complaints,
  '/admin/ratings': m.office_find_ratings,
  '/admin/audit': m.office_find_audit,
  '/admin/mail': m.office_find_mail,
};

export const sectionSynonyms: Record<SettingsSectionName, () => string> = {
  now: m.office_find_now,
  hours: m.office_find_hours,
  closures: m.office_find_closures,
  view: m.office_find_view,
  zones: m.office_find_zones,
  slots: m.office_find_slots,
  ordering: m.office_find_ordering,
  contact: m.office_find_contact,
  receipts: m.office_find_receipts,
  kept: m.office_find_kept,
  look: m.office_find_look,
};
