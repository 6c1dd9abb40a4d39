import { MenuPage } from '#ordering/web/menu/menu-page.tsx';
import type { PageOf } from '#pages.ts';
import { type LazyPage, lazyPage, lazyQueryPage } from '#storefront/web/lazy-page.tsx';

const entrance = () => import('#accounts/web/entrance-pages.ts');

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
  login: lazyQueryPage(async () => (await entrance()).LoginPage),
  register: lazyQueryPage(async () => (await entrance()).RegisterPage),
  forgotPassword: lazyQueryPage(async () => (await entrance()).ForgotPasswordPage),
  resetPassword: lazyQueryPage(async () => (await entrance()).ResetPasswordPage),
  verifyEmail: lazyQueryPage(async () => (await entrance()).VerifyEmailPage),
  authCallback: lazyQueryPage(async () => (await entrance()).AuthCallbackPage),
  googleReview: lazyQueryPage(async () => (await import('#storefront/web/google-review-page.tsx')).GoogleReviewPage),
  customerProfile: lazyQueryPage(async () => (await import('#accounts/web/profile/profile-page.tsx')).ProfilePage),
  setup: lazyQueryPage(async () => (await import('#accounts/web/setup-page.tsx')).SetupPage),
  order: lazyQueryPage(async () => (await import('#ordering/web/order-page.tsx')).OrderPage),
  paymentCallback: lazyQueryPage(
    async () => (await import('#payment/web/payment-callback-page.tsx')).PaymentCallbackPage,
  ),
  customerOrders: lazyQueryPage(
    async () => (await import('#ordering/web/customer-orders-page.tsx')).CustomerOrdersPage,
  ),
};
