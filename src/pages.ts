import type { PageAccess } from '#accounts/guard.ts';
import { keysOf } from '#platform/keys-of.ts';

/** The two front ends: the customers' storefront and the staff's office, each with a bundle of its own. */
export type Face = 'storefront' | 'office';

interface PageRow {
  access: PageAccess;
  face: Face;
  /** Which page its face shows. */
  page: string;
}

/**
 * Every page, keyed by its path as the specification writes it; any other path is the not-found page. The browser's
 * routers and guards, and the status the server answers with, all come from this table.
 */
export const pages = {
  '/': { access: 'everyone', face: 'storefront', page: 'home' },
  '/menu': { access: 'everyone', face: 'storefront', page: 'menu' },
  '/allergens': { access: 'everyone', face: 'storefront', page: 'allergens' },
  '/privacy': { access: 'everyone', face: 'storefront', page: 'privacy' },
  '/terms': { access: 'everyone', face: 'storefront', page: 'terms' },
  '/checkout': { access: 'everyone', face: 'storefront', page: 'checkout' },
  '/login': { access: 'guests', face: 'storefront', page: 'login' },
  '/register': { access: 'guests', face: 'storefront', page: 'register' },
  '/forgot-password': { access: 'everyone', face: 'storefront', page: 'forgotPassword' },
  '/reset-password': { access: 'everyone', face: 'storefront', page: 'resetPassword' },
  '/verify-email': { access: 'everyone', face: 'storefront', page: 'verifyEmail' },
  '/auth/callback': { access: 'everyone', face: 'storefront', page: 'authCallback' },
  '/google-review': { access: 'everyone', face: 'storefront', page: 'googleReview' },
  '/setup': { access: 'everyone', face: 'storefront', page: 'setup' },
  '/orders/{orderId}/payment/callback': { access: 'everyone', face: 'storefront', page: 'paymentCallback' },
  '/orders/{orderId}': { access: 'everyone', face: 'storefront', page: 'order' },
  '/customer/orders': { access: ['customer'], face: 'storefront', page: 'customerOrders' },
  '/customer/profile': { access: ['customer'], face: 'storefront', page: 'customerProfile' },
  '/store/orders': { access: ['admin'], face: 'office', page: 'storeOrders' },
  '/store/manage': { access: ['admin'], face: 'office', page: 'manage' },
  '/admin/menuEditor': { access: ['admin'], face: 'office', page: 'menuEditor' },
  '/admin/stores': { access: ['admin'], face: 'office', page: 'stores' },
  '/admin/menus': { access: ['admin'], face: 'office', page: 'menus' },
  '/admin/categories': { access: ['admin'], face: 'office', page: 'categories' },
  '/admin/items': { access: ['admin'], face: 'office', page: 'items' },
  '/admin/options': { access: ['admin'], face: 'office', page: 'options' },
  '/admin/option-groups': { access: ['admin'], face: 'office', page: 'optionGroups' },
  '/admin/import': { access: ['admin'], face: 'office', page: 'importMenu' },
  '/admin/reports': { access: ['admin'], face: 'office', page: 'reports' },
  '/admin/payments': { access: ['admin'], face: 'office', page: 'payments' },
  '/admin/customers': { access: ['admin'], face: 'office', page: 'customers' },
  '/admin/staff': { access: ['admin'], face: 'office', page: 'staff' },
  '/admin/audit': { access: ['admin'], face: 'office', page: 'audit' },
  '/admin/mail': { access: ['admin'], face: 'office', page: 'mail' },
  '/kitchen': { access: ['store_admin', 'admin'], face: 'office', page: 'kitchen' },
} as const satisfies Record<string, PageRow>;

export type PagePath = keyof typeof pages;
/** The pages of one face; its router's table is keyed by them, so that a missing page does not compile. */
export type PageOf<F extends Face> = {
  [P in PagePath]: (typeof pages)[P]['face'] extends F ? (typeof pages)[P]['page'] : never;
}[PagePath];

/** Whether a path is the staff's: their pages begin with one of these parts, and no other does. */
export function isOfficePath(pathname: string): boolean {
  return /^\/(store|admin|kitchen)(\/|$)/.test(pathname);
}

/** The row that a visited path belongs to, or null for the not-found page. A slash at the end makes no difference. */
export function findPage(pathname: string): { path: PagePath; row: (typeof pages)[PagePath] } | null {
  const visited = pathname.replace(/(.)\/+$/, '$1').split('/');
  for (const path of keysOf(pages)) {
    const parts = path.split('/');
    if (
      parts.length === visited.length &&
      parts.every((part, index) => (part.startsWith('{') ? visited[index] : part === visited[index]))
    ) {
      return { path, row: pages[path] };
    }
  }
  return null;
}
