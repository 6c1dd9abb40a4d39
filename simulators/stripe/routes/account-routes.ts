import type Stripe from 'stripe';
import { missing } from '../api/failure.ts';
import { found, isWithin, newestFirst, pageOf } from '../api/lists.ts';
import { type Route, route } from '../api/route.ts';
import { balanceOf } from '../objects/ledger.ts';
import { configurationId } from '../objects/intents.ts';
import { idIn, seconds } from '../world.ts';
import type { Books, World } from '../world.ts';

/** The account, its money, and what it offers. */
export const accountRoutes: Route[] = [
  route('GET /v1/account', 'accounts_kyc_basic_read', 'AccountRetrieveCurrentParams', ({ books }) => books.account),
  route('GET /v1/balance', 'balance_read', 'BalanceRetrieveParams', ({ books }) => balanceOf(books)),
  route<Stripe.BalanceTransactionListParams>(
    'GET /v1/balance_transactions',
    'balance_transaction_source_read',
    'BalanceTransactionListParams',
    ({ books, params }) => {
      if (params.payout !== undefined && !books.tables.payout.has(params.payout)) {
        throw missing('payout', params.payout, 'payout', 400);
      }
      const rows = newestFirst(books.tables.balance_transaction);
      const asked = rows.filter(
        (row) =>
          isWithin(row.created, params.created) &&
          (params.payout === undefined || books.paidOut.get(row.id) === params.payout) &&
          (params.source === undefined || idIn(row.source) === params.source) &&
          (params.type === undefined || row.type === params.type) &&
          (params.currency === undefined || row.currency === params.currency),
      );
      return pageOf(asked, '/v1/balance_transactions', params, 'balance_transaction');
    },
  ),
  route(
    'GET /v1/balance_transactions/:id',
    'balance_transaction_source_read',
    'BalanceTransactionRetrieveParams',
    ({ books, id }) => found(books.tables.balance_transaction, 'balance_transaction', id),
  ),
  route<Stripe.PayoutListParams>('GET /v1/payouts', 'payout_read', 'PayoutListParams', ({ books, params }) => {
    const rows = newestFirst(books.tables.payout);
    const asked = rows.filter(
      (payout) =>
        isWithin(payout.created, params.created) &&
        isWithin(payout.arrival_date, params.arrival_date) &&
        (params.status === undefined || payout.status === params.status),
    );
    return pageOf(asked, '/v1/payouts', params, 'payout');
  }),
  route('GET /v1/payouts/:id', 'payout_read', 'PayoutRetrieveParams', ({ books, id }) =>
    found(books.tables.payout, 'payout', id),
  ),
  route<Stripe.DisputeListParams>('GET /v1/disputes', 'dispute_read', 'DisputeListParams', ({ books, params }) => {
    const rows = newestFirst(books.tables.dispute);
    const asked = rows.filter(
      (dispute) =>
        isWithin(dispute.created, params.created) &&
        (params.charge === undefined || idIn(dispute.charge) === params.charge) &&
        (params.payment_intent === undefined || idIn(dispute.payment_intent) === params.payment_intent),
    );
    return pageOf(asked, '/v1/disputes', params, 'dispute');
  }),
  route('GET /v1/disputes/:id', 'dispute_read', 'DisputeRetrieveParams', ({ books, id }) =>
    found(books.tables.dispute, 'dispute', id),
  ),
  route<Stripe.EventListParams>('GET /v1/events', 'event_read', 'EventListParams', ({ books, params, version }) => {
    const rows = newestFirst(books.tables.event);
    const asked = rows.filter(
      (event) =>
        isWithin(event.created, params.created) &&
        (params.type === undefined || matchesType(params.type, event.type)) &&
        (params.types === undefined || params.types.some((type) => matchesType(type, event.type))),
    );
    const page = pageOf(asked, '/v1/events', params, 'event');
    return { ...page, data: page.data.map((event) => ({ ...event, api_version: version })) };
  }),
  route('GET /v1/events/:id', 'event_read', 'EventRetrieveParams', ({ books, id, version }) => ({
    ...found(books.tables.event, 'event', id),
    api_version: version,
  })),
  route<Stripe.PaymentMethodConfigurationListParams>(
    'GET /v1/payment_method_configurations',
    'payment_method_configurations_read',
    'PaymentMethodConfigurationListParams',
    ({ world, books, params }) =>
      pageOf(
        [configurationOf(world, books)],
        '/v1/payment_method_configurations',
        params,
        'payment_method_configuration',
      ),
  ),
  route<Stripe.PaymentMethodDomainListParams>(
    'GET /v1/payment_method_domains',
    'payment_method_domains_read',
    'PaymentMethodDomainListParams',
    ({ books, params }) => {
      const rows = newestFirst(books.tables.payment_method_domain);
      const asked = rows.filter((row) => params.domain_name === undefined || row.domain_name === params.domain_name);
      return pageOf(asked, '/v1/payment_method_domains', params, 'payment_method_domain');
    },
  ),
  route<Stripe.PaymentMethodDomainCreateParams>(
    'POST /v1/payment_method_domains',
    'payment_method_domains_write',
    'PaymentMethodDomainCreateParams',
    ({ world, books, params }) => {
      const active = { status: 'active' } as const;
      const domain: Stripe.PaymentMethodDomain = {
        id: world.newId('pmd'),
        object: 'payment_method_domain',
        amazon_pay: active,
        apple_pay: active,
        created: seconds(world),
        domain_name: params.domain_name,
        enabled: params.enabled ?? true,
        google_pay: active,
        klarna: active,
        link: active,
        livemode: books.livemode,
        paypal: active,
      };
      books.tables.payment_method_domain.set(domain.id, domain);
      return domain;
    },
  ),
  route(
    'GET /v1/payment_method_domains/:id',
    'payment_method_domains_read',
    'PaymentMethodDomainRetrieveParams',
    ({ books, id }) => found(books.tables.payment_method_domain, 'payment_method_domain', id),
  ),
];

/** A pattern may end in `*`: `charge.*`. */
function matchesType(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

function configurationOf({ settings }: World, books: Books): Stripe.PaymentMethodConfiguration {
  const shown = (method: string) => {
    const value = settings.methodsOff.includes(method) ? 'off' : 'on';
    return { available: true, display_preference: { overridable: null, preference: value, value } } as const;
  };
  return {
    id: configurationId(books),
    object: 'payment_method_configuration',
    active: true,
    apple_pay: shown('apple_pay'),
    application: null,
    card: shown('card'),
    google_pay: shown('google_pay'),
    is_default: true,
    link: shown('link'),
    livemode: books.livemode,
    name: 'Default',
    parent: null,
    pay_by_bank: shown('pay_by_bank'),
  };
}
