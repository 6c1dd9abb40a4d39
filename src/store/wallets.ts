/** The wallets that the checkout may name, with their brand names. A customer pays with them on the provider's page. */
const walletNames = { apple_pay: 'Apple Pay', google_pay: 'Google Pay', link: 'Link' } as const;

export type Wallet = keyof typeof walletNames;
export const wallets = Object.keys(walletNames) as [Wallet, ...Wallet[]];

/** The parts of a browser's window that tell which wallets it can have. */
export interface WalletBrowser {
  ApplePaySession?: { canMakePayments(): boolean } | undefined;
  PaymentRequest?: unknown;
  navigator: object;
}

/**
 * The names of the wallets on the provider's page (`on`) that this browser can have. Apple Pay needs a device with
 * Apple Pay, Google Pay needs Chrome. The checkout promises no wallet, because the wallet may contain no usable card.
 */
export function walletNamesIn(browser: WalletBrowser, on: readonly Wallet[]): string[] {
  const canHave = {
    apple_pay: canUseApplePay(browser),
    google_pay: 'PaymentRequest' in browser && isChrome(browser),
    link: true,
  };
  return on.filter((wallet) => canHave[wallet]).map((wallet) => walletNames[wallet]);
}

function canUseApplePay({ ApplePaySession }: WalletBrowser): boolean {
  try {
    return ApplePaySession?.canMakePayments() === true;
  } catch {
    // Safari throws on a page without https.
    return false;
  }
}

function isChrome({ navigator }: WalletBrowser): boolean {
  const { userAgentData } = navigator as { userAgentData?: { brands: readonly { brand: string }[] } };
  return userAgentData?.brands.some(({ brand }) => brand === 'Google Chrome') === true;
}
