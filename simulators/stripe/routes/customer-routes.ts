import type Stripe from 'stripe';
import { missing } from '../api/failure.ts';
import { found, isWithin, newestFirst, pageOf } from '../api/lists.ts';
import { type Call, type Route, route } from '../api/route.ts';
import { emit } from '../objects/events.ts';
import { readMetadata } from '../objects/intents.ts';
import { attachMethod, detachMethod, findMethod } from '../objects/payment-methods.ts';
import { idIn, seconds } from '../world.ts';

/** Customers and their saved methods of payment. */
export const customerRoutes: Route[] = [
  route('POST /v1/customers', 'customer_write', 'CustomerCreateParams', create),
  route<Stripe.CustomerListParams>('GET /v1/customers', 'customer_read', 'CustomerListParams', ({ books, params }) => {
    const rows = newestFirst(books.tables.customer);
    const asked = rows.filter(
      (customer) =>
        isWithin(customer.created, params.created) && (params.email === undefined || customer.email === params.email),
    );
    return pageOf(asked, '/v1/customers', params, 'customer');
  }),
  route('GET /v1/customers/:id', 'customer_read', 'CustomerRetrieveParams', (call) => customerOf(call)),
  route('POST /v1/customers/:id', 'customer_write', 'CustomerUpdateParams', update),
  route('DELETE /v1/customers/:id', 'customer_write', null, (call) => {
    const { world, books } = call;
    const customer = customerOf(call);
    for (const method of books.tables.payment_method.values()) {
      if (idIn(method.customer) === customer.id) detachMethod(world, books, method);
    }
    books.tables.customer.delete(customer.id);
    emit(world, books, 'customer.deleted', customer);
    return { id: customer.id, object: 'customer', deleted: true };
  }),
  route<Stripe.CustomerListPaymentMethodsParams>(
    'GET /v1/customers/:id/payment_methods',
    'payment_method_read',
    'CustomerListPaymentMethodsParams',
    (call) => {
      const customer = customerOf(call);
      const { type, allow_redisplay: redisplay } = call.params;
      const rows = methodsOf(call, customer.id).filter(
        (method) =>
          (type === undefined || method.type === type) &&
          (redisplay === undefined || method.allow_redisplay === redisplay),
      );
      return pageOf(rows, `/v1/customers/${customer.id}/payment_methods`, call.params, 'payment_method');
    },
  ),
  route<Stripe.PaymentMethodListParams>(
    'GET /v1/payment_methods',
    'payment_method_read',
    'PaymentMethodListParams',
    (call) => {
      const rows = methodsOf(call, call.params.customer ?? '').filter(
        ({ type }) => call.params.type === undefined || type === call.params.type,
      );
      return pageOf(rows, '/v1/payment_methods', call.params, 'payment_method');
    },
  ),
  route('GET /v1/payment_methods/:id', 'payment_method_read', 'PaymentMethodRetrieveParams', (call) => methodOf(call)),
  route<Stripe.PaymentMethodAttachParams>(
    'POST /v1/payment_methods/:id/attach',
    'payment_method_write',
    'PaymentMethodAttachParams',
    ({ world, books, id, params }) => {
      const method = findMethod(world, books, id);
      const customer = params.customer ?? '';
      if (!books.tables.customer.has(customer)) throw missing('customer', customer, 'customer', 400);
      attachMethod(world, books, method, customer);
      return method;
    },
  ),
  route('POST /v1/payment_methods/:id/detach', 'payment_method_write', 'PaymentMethodDetachParams', (call) => {
    const method = methodOf(call);
    detachMethod(call.world, call.books, method);
    return method;
  }),
];

function customerOf({ books, id }: Call<unknown>): Stripe.Customer {
  return found(books.tables.customer, 'customer', id);
}

function methodOf({ books, id }: Call<unknown>): Stripe.PaymentMethod {
  return found(books.tables.payment_method, 'PaymentMethod', id, 'payment_method');
}

function methodsOf({ books }: Call<unknown>, customer: string): Stripe.PaymentMethod[] {
  return newestFirst(books.tables.payment_method).filter((method) => idIn(method.customer) === customer);
}

function create({ world, books, params }: Call<Stripe.CustomerCreateParams>): Stripe.Customer {
  const customer: Stripe.Customer = {
    id: world.newId('cus', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: seconds(world),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: params.description ?? null,
    discount: null,
    email: params.email ?? null,
    invoice_prefix: world.newId('', 8).slice(1).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: books.livemode,
    metadata: readMetadata(params.metadata || {}),
    name: params.name || null,
    next_invoice_sequence: 1,
    phone: params.phone ?? null,
    preferred_locales: params.preferred_locales ?? [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  books.tables.customer.set(customer.id, customer);
  emit(world, books, 'customer.created', customer);
  return customer;
}

function update(call: Call<Stripe.CustomerUpdateParams>): Stripe.Customer {
  const { world, books, params } = call;
  const customer = customerOf(call);
  if (params.email !== undefined) customer.email = params.email || null;
  if (params.name !== undefined) customer.name = params.name || null;
  if (params.phone !== undefined) customer.phone = params.phone || null;
  if (params.description !== undefined) customer.description = params.description || null;
  if (params.metadata !== undefined) {
    customer.metadata = params.metadata ? readMetadata({ ...customer.metadata, ...params.metadata }) : {};
  }
  emit(world, books, 'customer.updated', customer);
  return customer;
}
