/** The types of the `stripe` package in the local Stripe's requests and responses, by the file that declares them. */
export const typesByFile: Readonly<Record<string, readonly string[]>> = {
  Accounts: ['Account', 'AccountRetrieveCurrentParams'],
  Balance: ['Balance', 'BalanceRetrieveParams'],
  BalanceTransactions: ['BalanceTransaction', 'BalanceTransactionRetrieveParams', 'BalanceTransactionListParams'],
  Charges: ['Charge', 'ChargeRetrieveParams', 'ChargeListParams'],
  'Checkout/Sessions': [
    'Session',
    'Checkout.SessionCreateParams',
    'Checkout.SessionRetrieveParams',
    'Checkout.SessionListParams',
    'Checkout.SessionListLineItemsParams',
    'Checkout.SessionExpireParams',
  ],
  Coupons: ['Coupon', 'DeletedCoupon', 'CouponCreateParams', 'CouponRetrieveParams', 'CouponListParams'],
  Customers: [
    'Customer',
    'DeletedCustomer',
    'CustomerCreateParams',
    'CustomerUpdateParams',
    'CustomerRetrieveParams',
    'CustomerListParams',
    'CustomerListPaymentMethodsParams',
    'CustomerRetrievePaymentMethodParams',
  ],
  Discounts: ['Discount'],
  Disputes: ['Dispute', 'DisputeRetrieveParams', 'DisputeListParams'],
  Events: ['EventBase', 'EventRetrieveParams', 'EventListParams'],
  LineItems: ['LineItem'],
  PaymentIntents: [
    'PaymentIntent',
    'PaymentIntentCreateParams',
    'PaymentIntentRetrieveParams',
    'PaymentIntentListParams',
    'PaymentIntentConfirmParams',
    'PaymentIntentCaptureParams',
    'PaymentIntentCancelParams',
  ],
  PaymentMethodConfigurations: ['PaymentMethodConfiguration', 'PaymentMethodConfigurationListParams'],
  PaymentMethodDomains: [
    'PaymentMethodDomain',
    'PaymentMethodDomainCreateParams',
    'PaymentMethodDomainRetrieveParams',
    'PaymentMethodDomainListParams',
  ],
  PaymentMethods: [
    'PaymentMethod',
    'PaymentMethodRetrieveParams',
    'PaymentMethodAttachParams',
    'PaymentMethodDetachParams',
    'PaymentMethodListParams',
  ],
  Payouts: ['Payout', 'PayoutRetrieveParams', 'PayoutListParams'],
  Prices: ['Price'],
  Refunds: ['Refund', 'RefundCreateParams', 'RefundRetrieveParams', 'RefundListParams'],
  WebhookEndpoints: [
    'WebhookEndpoint',
    'DeletedWebhookEndpoint',
    'WebhookEndpointCreateParams',
    'WebhookEndpointRetrieveParams',
    'WebhookEndpointUpdateParams',
    'WebhookEndpointListParams',
  ],
};

/** The objects that a response can contain; for other objects a field holds only the id. */
export const responseTypes = Object.values(typesByFile)
  .flat()
  .filter((type) => !type.endsWith('Params'));
