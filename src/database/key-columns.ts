/** Why a key set cannot be used as it is. */
export interface KeyProblem {
  /**
   * Stripe does not accept the key, or not from this machine; it lacks a right; the account may not take cards yet. Or
   * Stripe refuses payment pages of orders, or also a plain one of the shop's own.
   */
  kind: 'keys_refused' | 'address_refused' | 'missing_right' | 'not_activated' | 'some_pages_refused' | 'pages_refused';
  /** The missing rights, as Stripe's API names them. */
  rights?: string[];
  /** Of refused pages: the reason, in Stripe's own words. */
  said?: string;
  since: string;
}

/** A small payment by which the owner tries the keys, and which is refunded by itself. */
export interface KeyTrial {
  id: string;
  /** The provider's id: of the hosted page if the owner pays on one, otherwise of the payment. */
  reference: string | null;
  redirect_url: string | null;
  amount: number;
  currency: string;
  state: 'open' | 'paid' | 'refunded' | 'abandoned' | 'failed';
  at: string;
}

/** An order for which the provider refused a payment page. */
export interface RefusedPage {
  order: string;
  /** Equal for refusals with the same reason: the words without ids and numbers. */
  reason: string;
  /** In the provider's own words. */
  said: string;
  /** It names something that comes from the order. */
  names_order: boolean;
  at: string;
  /** A page of another order, or of this one, opened since. */
  is_followed: boolean;
}

export type KeySource = 'environment' | 'typed';
