import type { PageAccess } from '#accounts/guard.ts';
import { keysOf } from '#platform/keys-of.ts';

/** The two front ends, with a bundle each: the customers' storefront and the staff's office. */
export type Face = 'storefront' | 'office';

export interface PageRow {
  access: PageAccess;
  /** The page's name, by which its front end finds the component. */
  page: string;
}

/**
 * Every page of the storefront by its path; any other path is the not-found page. The browser's routers and guards, and
 * the server's status codes, derive from this table and from `officePages`. The office's table is in another file,
 * which customers do not load.
 */
export const pages = {
  '/': { access: 'everyone', page: 'home' },
  '/menu': { access: 'everyone', page: 'menu' },
  '/allergens': { access: 'everyone', page: 'allergens' },
  '/privacy': { access: 'everyone', page: 'privacy' },
  '/complaint': { access: 'everyone', page: 'complaint' },
  '/terms': { access: 'everyone', page: 'terms' },
  '/checkout': { access: 'everyone', page: 'checkout' },
  '/login': { access: 'guests', page: 'login' },
  '/register': { access: 'guests', page: 'register' },
  '/forgot-password': { access: 'everyone', page: 'forgotPassword' },
  '/reset-password': { access: 'everyone', page: 'resetPassword' },
  '/verify-email': { access: 'everyone', page: 'verifyEmail' },
  '/account-link': { access: 'everyone', page: 'accountLink' },
  '/auth/callback': { access: 'everyone', page: 'authCallback' },
  '/google-review': { access: 'everyone', page: 'googleReview' },
  '/app': { access: 'everyone', page: 'app' },
  '/app/sign-in': { access: 'everyone', page: 'appSignIn' },
  '/app/device': { access: 'everyone', page: 'device' },
  '/setup': { access: 'everyone', page: 'setup' },
  '/orders/{orderId}/payment/callback': { access: 'everyone', page: 'paymentCallback' },
  '/orders/{orderId}': { access: 'everyone', page: 'order' },
  '/customer/orders': { access: ['customer'], page: 'customerOrders' },
  '/customer/profile': { access: ['customer'], page: 'customerProfile' },
} as const satisfies Record<string, PageRow>;

export type PagePath = keyof typeof pages;
/**
 * The names of the storefront's pages. They are the keys of the tables of components and titles: a missing page is a
 * type error.
 */
export type PageName = (typeof pages)[PagePath]['page'];

/** Whether a path belongs to the office. Only office paths begin with one of these segments. */
export function isOfficePath(pathname: string): boolean {
  return /^\/(store|admin|kitchen)(\/|$)/.test(pathname);
}

/** The storefront's page at a visited path; null: none. */
export function findPage(pathname: string): { path: PagePath; row: (typeof pages)[PagePath] } | null {
  const path = findPathInTable(pages, pathname);
  return path && { path, row: pages[path] };
}

/** The path in a table of pages that matches a visited path, with or without a final slash; null: none. */
export function findPathInTable<Path extends string>(table: Record<Path, PageRow>, pathname: string): Path | null {
  const visited = pathname.replace(/(.)\/+$/, '$1').split('/');
  const isVisited = (path: Path) => {
    const parts = path.split('/');
    return (
      parts.length === visited.length &&
      parts.every((part, index) => (part.startsWith('{') ? visited[index] : part === visited[index]))
    );
  };
  return keysOf(table).find(isVisited) ?? null;
}

const appPath =
  /^\/(?:|menu|allergens|auth\/callback|orders\/[\w-]{1,64}(?:\/payment\/callback)?)(?:[?#][^\s\\]{0,4000})?$/;

/** Whether a link or a notification may open this path in an Android app; never true for the office. */
export function canAndroidAppOpenPath(path: string): boolean {
  return appPath.test(path);
}
