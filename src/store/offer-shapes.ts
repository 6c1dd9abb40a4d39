import { z } from 'zod';
import { fulfilmentTypes, offerKinds, orderChannels } from '#database/column-values.ts';
import { Id, Instant, Money } from '#platform/http/shapes.ts';
import { plainText } from '#platform/plain-text.ts';
import { ClockTime, Weekday } from '#store/hours-shapes.ts';

const Ids = z.array(Id).min(1).max(200).nullable();
const Pieces = z.int().min(1).max(1000);

/** The fields of an offer that an admin sets; null: no limit, or not of this kind. */
export const OfferFields = z.object({
  name: z.string().overwrite(plainText).trim().min(1).max(80),
  kind: z.enum(offerKinds),
  value: Money.nullable().describe('Basis points (`percent`), an amount off (`amount`) or a price.'),
  take: z.int().min(2).max(100).nullable(),
  pay: z.int().min(1).max(99).nullable(),
  parts: z
    .array(z.object({ item_ids: z.array(Id).min(1).max(200), quantity: Pieces }))
    .min(1)
    .max(10)
    .nullable(),
  max_pieces: Pieces.nullable().describe('The most pieces that it reduces in one order, the dearest first.'),
  minimum_subtotal: Money.nullable(),
  fulfilment_types: z.array(z.enum(fulfilmentTypes)).min(1).max(fulfilmentTypes.length).nullable(),
  channels: z.array(z.enum(orderChannels)).min(1).max(orderChannels.length).nullable(),
  days: z.array(Weekday).min(1).max(7).nullable(),
  from_time: ClockTime.nullable(),
  until_time: ClockTime.nullable(),
  starts_at: Instant.nullable(),
  ends_at: Instant.nullable(),
  item_ids: Ids,
  category_ids: Ids,
  excluded_item_ids: Ids,
  combines: z.boolean(),
  is_active: z.boolean(),
});
export type OfferFields = z.infer<typeof OfferFields>;

export const StoredOffer = OfferFields.extend({ id: Id });
export type StoredOffer = z.infer<typeof StoredOffer>;
