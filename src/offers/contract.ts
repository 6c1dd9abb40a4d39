import { z } from 'zod';
import { Id, PaginatedAnswer, PaginatedQuery, SingleAnswer } from '#platform/http/shapes.ts';
import { bodySchemaWithConflictCheck } from '#platform/http/conflict-check.ts';
import { UncappedMoney } from '#ordering/order.ts';
import { OfferFields, StoredOffer } from '#store/offer-shapes.ts';

export const Offer = StoredOffer.extend({
  store_id: Id,
  uses: z.int().describe('Orders that have it and are not called off.'),
  spent: UncappedMoney.describe('The sum of their discounts.'),
  codes_made: z.int().describe('Its codes that are valid once.'),
  codes_used: z.int().describe('Those of them that an order has used up.'),
});
export type Offer = z.infer<typeof Offer>;

export const offerEndpoints = {
  'GET /v1/offers': {
    access: 'admin',
    summary: 'List the offers, the oldest first.',
    query: PaginatedQuery.extend({ store_id: Id.optional() }),
    response: PaginatedAnswer(Offer),
  },
  'GET /v1/offers/{id}': { access: 'admin', summary: 'Read one offer.', response: SingleAnswer(Offer) },
  'POST /v1/offers': {
    access: 'admin',
    summary: 'Create an offer, which applies at once unless it has other dates or is not active.',
    body: OfferFields.partial().required({ name: true, kind: true }).extend({ store_id: Id }),
    response: SingleAnswer(Offer),
    status: 201,
    errors: ['conflict'],
  },
  'PATCH /v1/offers/{id}': {
    access: 'admin',
    summary: 'Change an offer. Orders that are placed keep theirs.',
    body: bodySchemaWithConflictCheck(OfferFields.partial()),
    response: SingleAnswer(Offer),
    errors: ['changed_meanwhile'],
  },
  'POST /v1/offers/{id}/codes': {
    access: 'admin',
    summary: 'Make codes of an offer that are valid once each, as CSV.',
    body: z.object({ count: z.int().min(1).max(1000) }),
    response: z.string(),
    download: 'text/csv',
    errors: ['conflict'],
  },
  'DELETE /v1/offers/{id}': { access: 'admin', summary: 'Delete an offer. Orders keep its discount.', response: null },
} as const;
