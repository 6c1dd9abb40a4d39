import type { ComponentType } from 'react';
import { MenuPage } from '#ordering/web/menu/menu-page.tsx';
import type { PageName } from '#pages.ts';
import { savesData } from '#platform/web/data-saving-mode.ts';
import { runWhenIdle } from '#platform/web/when-idle.ts';
import { lazyPart } from '#ui/web/lazy-part.ts';
import { type LazyPage, lazyPage, lazyQueryPage } from '#storefront/web/lazy-page.tsx';

const signInPages = () => import('#accounts/web/sign-in-pages.ts');

/** A lazy sign-in page. The page redirects after the sign-in. */
function lazySignIn(load: () => Promise<ComponentType>): LazyPage {
  return lazyQueryPage(async () => {
    const [Page, { withRedirectAfterSignIn }] = await Promise.all([
      load(),
      import('#storefront/web/after-sign-in.tsx'),
    ]);
    return withRedirectAfterSignIn(Page);
  });
}

/** Loads the checkout's code while the customer chooses, once the page is idle. */
export function prefetchCheckout(): void {
  if (!savesData()) runWhenIdle(() => void storefrontPages.checkout.preload().catch(() => undefined));
}

export const notFoundPage = lazyPage(async () => (await import('#storefront/web/not-found-page.tsx')).NotFoundPage);

const orderComplaints = lazyPart(
  async () => (await import('#complaints/web/complaint-card.tsx')).OrderComplaints,
  () => null,
);

/** Each page's component. The menu is in the entry chunk, because every visitor opens the menu. */
export const storefrontPages: Record<PageName, LazyPage> = {
  home: lazyPage(async () => (await import('#storefront/web/home-page.tsx')).HomePage),
  menu: { preload: async () => {}, show: () => <MenuPage /> },
  allergens: lazyPage(async () => (await import('#storefront/web/allergens-page.tsx')).AllergensPage),
  privacy: lazyPage(async () => (await import('#storefront/web/privacy-page.tsx')).PrivacyPage),
  complaint: lazyQueryPage(async () => (await import('#complaints/web/complaint-page.tsx')).ComplaintPage),
  terms: lazyPage(async () => (await import('#storefront/web/terms-page.tsx')).TermsPage),
  checkout: lazyQueryPage(async () => (await import('#ordering/web/checkout/checkout-page.tsx')).CheckoutPage),
  login: lazySignIn(async () => (await signInPages()).LoginPage),
  register: lazySignIn(async () => (await signInPages()).RegisterPage),
  forgotPassword: lazyQueryPage(async () => (await signInPages()).ForgotPasswordPage),
  resetPassword: lazyQueryPage(async () => (await signInPages()).ResetPasswordPage),
  verifyEmail: lazyQueryPage(async () => (await signInPages()).VerifyEmailPage),
  accountLink: lazyQueryPage(async () => (await import('#ordering/web/account-link-page.tsx')).AccountLinkPage),
  authCallback: lazySignIn(async () => (await signInPages()).AuthCallbackPage),
  googleReview: lazyQueryPage(async () => (await import('#storefront/web/google-review-page.tsx')).GoogleReviewPage),
  customerProfile: lazyQueryPage(async () => (await import('#people/web/profile/profile-page.tsx')).ProfilePage),
  app: lazyQueryPage(async () => (await import('#app-release/web/app-page.tsx')).AppDownloadPage),
  appSignIn: lazyQueryPage(async () => (await import('#accounts/web/app-sign-in-page.tsx')).AppSignInPage),
  device: lazyQueryPage(async () => (await import('#accounts/web/device-page.tsx')).DevicePage),
  setup: lazySignIn(async () => (await import('#accounts/web/setup-page.tsx')).SetupPage),
  order: lazyQueryPage(async () => {
    const { OrderPage } = await import('#ordering/web/order/order-page.tsx');
    return () => <OrderPage complaints={orderComplaints} />;
  }),
  paymentCallback: lazyQueryPage(
    async () => (await import('#payment/web/payment-callback-page.tsx')).PaymentCallbackPage,
  ),
  customerOrders: lazyQueryPage(
    async () => (await import('#ordering/web/order/customer-orders-page.tsx')).CustomerOrdersPage,
  ),
};
