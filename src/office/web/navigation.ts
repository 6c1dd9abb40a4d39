import { m } from '#messages';
import type { OfficePagePath } from '#office-pages.ts';
import type { IconName } from '#ui/web/icons.ts';

export interface PageLink {
  path: OfficePagePath;
  label: string;
}

export interface NavigationGroup {
  label: string;
  icon: IconName;
  links: PageLink[];
}

/** The board and the kitchen screen, which precede the groups. */
export const topNavigationLinks = (): (PageLink & { icon: IconName })[] => [
  { path: '/store/orders', label: m.office_orders(), icon: 'board' },
  { path: '/kitchen', label: m.office_kitchen_screen(), icon: 'expand' },
];

/**
 * The groups of pages in the sidebar, the drawer and the search. Only the owner sees these groups (`office-pages.ts`).
 * Other staff see only the kitchen screen and the page with their own sign-in settings.
 */
export function navigationGroups(): NavigationGroup[] {
  return [
    {
      label: m.office_group_menu(),
      icon: 'basket',
      links: [
        { path: '/admin/menuEditor', label: m.office_page_menu_editor() },
        { path: '/admin/menus', label: m.office_page_menus() },
        { path: '/admin/categories', label: m.office_page_categories() },
        { path: '/admin/items', label: m.office_page_items() },
        { path: '/admin/option-groups', label: m.office_page_option_groups() },
        { path: '/admin/options', label: m.office_page_options() },
        { path: '/admin/offers', label: m.office_page_offers() },
        { path: '/admin/paper', label: m.office_page_paper() },
        { path: '/admin/import', label: m.office_page_import_menu() },
      ],
    },
    {
      label: m.office_group_shop(),
      icon: 'home',
      links: [
        { path: '/store/manage', label: m.office_page_manage() },
        { path: '/admin/stores', label: m.office_page_stores() },
        { path: '/admin/devices', label: m.office_page_devices() },
        { path: '/admin/releases', label: m.office_page_releases() },
        { path: '/admin/printers', label: m.office_page_printers() },
        { path: '/admin/backups', label: m.office_page_backups() },
      ],
    },
    {
      label: m.office_group_money(),
      icon: 'card',
      links: [
        { path: '/admin/reports', label: m.office_page_reports() },
        { path: '/admin/payments', label: m.office_page_payments() },
        { path: '/admin/payments/setup', label: m.office_page_payment_setup() },
      ],
    },
    {
      label: m.office_group_people(),
      icon: 'user',
      links: [
        { path: '/admin/customers', label: m.office_page_customers() },
        { path: '/admin/staff', label: m.office_page_staff() },
        { path: '/kitchen/my-sign-in', label: m.office_page_factors() },
        { path: '/admin/sign-in', label: m.office_page_sign_in() },
        { path: '/admin/complaints', label: m.office_page_complaints() },
        { path: '/admin/ratings', label: m.office_page_ratings() },
        { path: '/admin/audit', label: m.office_page_audit() },
        { path: '/admin/mail', label: m.office_page_mail() },
      ],
    },
  ];
}
