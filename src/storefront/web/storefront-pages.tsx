import type { ComponentType } from 'react';
import type * as EntrancePages from '#accounts/web/entrance-pages.ts';
import { MenuPage } from '#ordering/web/menu/menu-page.tsx';
import type { PageOf } from '#pages.ts';
import { type LazyPage, lazyPage, lazyQueryPage } from '#storefront/web/lazy-page.tsx';

/** The pages on which somebody signs in, which need to know where they go on. */
const entrance = async (pick: (pages: typeof EntrancePages) => ComponentType) => {
  const [pages, { withWayOn }] = await Promise.all([
    import('#accounts/web/entrance-pages.ts'),
    import('#storefront/web/way-on.tsx'),
  ]);
  return withWayOn(pick(pages));
};
const setup = async () => {
  const [{ SetupPage }, { withWayOn }] = await Promise.all([
    import('#accounts/web/setup-page.tsx'),
    import('#storefront/web/way-on.tsx'),
  ]);
  return withWayOn(SetupPage);
};

/** For every path that is none of them. */
export const notFoundPage = lazyPage(async () => (await import('#storefront/web/not-found-page.tsx')).NotFoundPage);

/** What shows each page. The menu comes with the entry: everyone goes there, and it has the budget to keep. */
export const storefrontPages: Record<PageOf<'storefront'>, LazyPage> = {
  home: lazyPage(async () => (await import('#storefront/web/home-page.tsx')).HomePage),
  menu: { preload: async () => {}, show: () => <MenuPage /> },
  allergens: lazyPage(async () => (await import('#storefront/web/allergens-page.tsx')).AllergensPage),
  privacy: lazyPage(async () => (await import('#storefront/web/privacy-page.tsx')).PrivacyPage),
  terms: lazyPage(async () => (await import('#storefront/web/terms-page.tsx')).TermsPage),
  checkout: lazyQueryPage(async () => (await import('#ordering/web/checkout-page.tsx')).CheckoutPage),
  login: lazyQueryPage(() => entrance((pages) => pages.LoginPage)),
  register: lazyQueryPage(() => entrance((pages) => pages.RegisterPage)),
  forgotPassword: lazyQueryPage(() => entrance((pages) => pages.ForgotPasswordPage)),
  resetPassword: lazyQueryPage(() => entrance((pages) => pages.ResetPasswordPage)),
  verifyEmail: lazyQueryPage(() => entrance((pages) => pages.VerifyEmailPage)),
  authCallback: lazyQueryPage(() => entrance((pages) => pages.AuthCallbackPage)),
  googleReview: lazyQueryPage(async () => (await import('#storefront/web/google-review-page.tsx')).GoogleReviewPage),
  customerProfile: lazyQueryPage(async () => (await import('#accounts/web/profile/profile-page.tsx')).ProfilePage),
  setup: lazyQueryPage(setup),
  order: lazyQueryPage(async () => (await import('#ordering/web/order-page.tsx')).OrderPage),
  paymentCallback: lazyQueryPage(
    async () => (await import('#payment/web/payment-callback-page.tsx')).PaymentCallbackPage,
  ),
  customerOrders: lazyQueryPage(
    async () => (await import('#ordering/web/customer-orders-page.tsx')).CustomerOrdersPage,
  ),
};
