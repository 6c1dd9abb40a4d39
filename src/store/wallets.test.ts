import { expect, test } from 'vitest';
import { type WalletBrowser, walletNamesIn, wallets } from '#store/wallets.ts';

const brands = (...names: string[]) => ({ userAgentData: { brands: names.map((brand) => ({ brand })) } });
const applePay = (canMakePayments: () => boolean) => ({ ApplePaySession: { canMakePayments } });
const refuse = () => {
  throw new Error('insecure document');
};

test.each<[string, WalletBrowser, string[]]>([
  ['an iPhone', { ...applePay(() => true), PaymentRequest: {}, navigator: {} }, ['Apple Pay', 'Link']],
  ['a Mac without a card reader', { ...applePay(() => false), navigator: {} }, ['Link']],
  ['an iPhone on a page without https', { ...applePay(refuse), navigator: {} }, ['Link']],
  ['Chrome', { PaymentRequest: {}, navigator: brands('Chromium', 'Google Chrome') }, ['Google Pay', 'Link']],
  ['the web view of an app', { PaymentRequest: {}, navigator: brands('Android WebView', 'Chromium') }, ['Link']],
  ['Firefox', { navigator: {} }, ['Link']],
])('%s is shown only wallets that it can have', (_, browser, names) => {
  expect(walletNamesIn(browser, wallets)).toEqual(names);
  expect(walletNamesIn(browser, [])).toEqual([]);
});
