import { m } from '#messages';
import type { PageName } from '#pages.ts';

/** The titles of the browser's tab. The shop's name is appended to each. */
export const pageTitles: Record<PageName, () => string> = {
  home: m.storefront_title,
  menu: m.menu_title,
  checkout: m.ordering_checkout,
  login: m.accounts_sign_in,
  register: m.accounts_register,
  forgotPassword: m.accounts_forgot_title,
  resetPassword: m.accounts_reset_title,
  // The title is neutral, because the link may be invalid and then confirms nothing.
  verifyEmail: m.accounts_verify_page_title,
  accountLink: m.ordering_link_title,
  authCallback: m.accounts_sign_in,
  googleReview: m.storefront_title,
  customerProfile: m.accounts_profile,
  allergens: m.store_allergens_title,
  privacy: m.store_privacy_title,
  terms: m.store_terms_title,
  complaint: m.complaints_title,
  app: m.app_release_page_title,
  appSignIn: m.accounts_sign_in,
  device: m.accounts_device_title,
  setup: m.accounts_setup_title,
  order: m.ordering_your_order,
  paymentCallback: m.ordering_callback_checking,
  customerOrders: m.accounts_my_orders,
};
