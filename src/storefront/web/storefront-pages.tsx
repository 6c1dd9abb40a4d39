import type { ComponentType } from 'react';
import { MenuPage } from '#ordering/web/menu/menu-page.tsx';
import type { PageName } from '#pages.ts';
import { type LazyPage, lazyPage, lazyQueryPage } from '#storefront/web/lazy-page.tsx';

const entrance = () => import('#accounts/web/entrance-pages.ts');

/** A page on which somebody signs in, which needs to know where they go on. */
function lazyEntrance(load: () => Promise<ComponentType>): LazyPage {
  return lazyQueryPage(async () => {
    const [Page, { withWayOn }] = await Promise.all([load(), import('#storefront/web/way-on.tsx')]);
    return withWayOn(Page);
  });
}

/** For every path that is none of them. */
export const notFoundPage = lazyPage(async () => (await import('#storefront/web/not-found-page.tsx')).NotFoundPage);

/** What shows each page. The menu comes with the entry: everyone goes there, and it has the budget to keep. */
export const storefrontPages: Record<PageName, LazyPage> = {
  home: lazyPage(async () => (await import('#storefront/web/home-page.tsx')).HomePage),
  menu: { preload: async () => {}, show: () => <MenuPage /> },
  allergens: lazyPage(async () => (await import('#storefront/web/allergens-page.tsx')).AllergensPage),
  privacy: lazyPage(async () => (await import('#storefront/web/privacy-page.tsx')).PrivacyPage),
  terms: lazyPage(async () => (await import('#storefront/web/terms-page.tsx')).TermsPage),
  checkout: lazyQueryPage(async () => (await import('#ordering/web/checkout-page.tsx')).CheckoutPage),
  login: lazyEntrance(async () => (await entrance()).LoginPage),
  register: lazyEntrance(async () => (await entrance()).RegisterPage),
  forgotPassword: lazyQueryPage(async () => (await entrance()).ForgotPasswordPage),
  resetPassword: lazyQueryPage(async () => (await entrance()).ResetPasswordPage),
  verifyEmail: lazyQueryPage(async () => (await entrance()).VerifyEmailPage),
  accountLink: lazyQueryPage(async () => (await import('#ordering/web/account-link-page.tsx')).AccountLinkPage),
  authCallback: lazyEntrance(async () => (await entrance()).AuthCallbackPage),
  googleReview: lazyQueryPage(async () => (await import('#storefront/web/google-review-page.tsx')).GoogleReviewPage),
  customerProfile: lazyQueryPage(async () => (await import('#people/web/profile/profile-page.tsx')).ProfilePage),
  setup: lazyEntrance(async () => (await import('#accounts/web/setup-page.tsx')).SetupPage),
  order: lazyQueryPage(async () => (await import('#ordering/web/order-page.tsx')).OrderPage),
  paymentCallback: lazyQueryPage(
    async () => (await import('#payment/web/payment-callback-page.tsx')).PaymentCallbackPage,
  ),
  customerOrders: lazyQueryPage(
    async () => (await import('#ordering/web/customer-orders-page.tsx')).CustomerOrdersPage,
  ),
};
