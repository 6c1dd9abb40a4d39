/** The types of the `stripe` package that the local Stripe accepts and answers, by the file that declares them. */
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

/** The objects that an answer can contain; a field for any other object can only hold its id. */
export const answeredTypes = Object.values(typesByFile)
  .flat()
  .filter((type) => !type.endsWith('Params'));
