import { findPathInTable, type PageRow } from '#pages.ts';

/** Every page of the office by its path; `pages.ts` has the storefront's pages. */
export const officePages = {
  '/store/orders': { access: ['admin'], page: 'storeOrders' },
  '/admin/set-up': { access: ['admin'], page: 'guidedSetUp' },
  '/store/manage': { access: ['admin'], page: 'manage' },
  '/admin/menuEditor': { access: ['admin'], page: 'menuEditor' },
  '/admin/stores': { access: ['admin'], page: 'stores' },
  '/admin/menus': { access: ['admin'], page: 'menus' },
  '/admin/categories': { access: ['admin'], page: 'categories' },
  '/admin/items': { access: ['admin'], page: 'items' },
  '/admin/options': { access: ['admin'], page: 'options' },
  '/admin/option-groups': { access: ['admin'], page: 'optionGroups' },
  '/admin/import': { access: ['admin'], page: 'importMenu' },
  '/admin/paper': { access: ['admin'], page: 'paper' },
  '/admin/offers': { access: ['admin'], page: 'offers' },
  '/admin/reports': { access: ['admin'], page: 'reports' },
  '/admin/payments': { access: ['admin'], page: 'payments' },
  '/admin/payments/setup': { access: ['admin'], page: 'paymentSetup' },
  '/admin/printers': { access: ['admin'], page: 'printers' },
  '/admin/customers': { access: ['admin'], page: 'customers' },
  '/admin/staff': { access: ['admin'], page: 'staff' },
  '/admin/sign-in': { access: ['admin'], page: 'signIn' },
  '/admin/devices': { access: ['admin'], page: 'devices' },
  '/admin/releases': { access: ['admin'], page: 'releases' },
  '/admin/audit': { access: ['admin'], page: 'audit' },
  '/admin/complaints': { access: ['admin'], page: 'complaints' },
  '/admin/ratings': { access: ['admin'], page: 'ratings' },
  '/admin/backups': { access: ['admin'], page: 'backups' },
  '/admin/restored': { access: ['admin'], page: 'restored' },
  '/admin/backups/sheet': { access: ['admin'], page: 'recoverySheet' },
  '/admin/mail': { access: ['admin'], page: 'mail' },
  '/kitchen': { access: ['store_admin', 'admin'], page: 'kitchen' },
  '/kitchen/wall': { access: ['store_admin', 'admin'], page: 'kitchenWall' },
  '/kitchen/ready': { access: ['store_admin', 'admin'], page: 'readyNumbers' },
  '/kitchen/my-sign-in': { access: ['store_admin', 'admin'], page: 'factors' },
} as const satisfies Record<string, PageRow>;

export type OfficePagePath = keyof typeof officePages;
/**
 * The names of the office's pages. They are the keys of the table of components: a page without a component is a type
 * error.
 */
export type OfficePageName = (typeof officePages)[OfficePagePath]['page'];

/** Finds the office's page at a visited path; null: none. */
export function findOfficePage(
  pathname: string,
): { path: OfficePagePath; row: (typeof officePages)[OfficePagePath] } | null {
  const path = findPathInTable(officePages, pathname);
  return path && { path, row: officePages[path] };
}
