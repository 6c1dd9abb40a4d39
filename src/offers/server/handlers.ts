import { randomUUIDv7 } from 'node:crypto';
import { m } from '#messages';
import { pageOfArray } from '#database/read-page.ts';
import type { Db, Tx } from '#database/schema.ts';
import { Offer, type offerEndpoints } from '#offers/contract.ts';
import { emptyOffer, offerProblem, withoutUnusedFields } from '#offers/offer-rules.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { refuseIfChanged } from '#platform/http/guarded-change.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { OfferFields } from '#store/offer-shapes.ts';
import { changeOffers, readOffers } from '#store/server/change-offers.ts';
import type { StoreChangeServices } from '#store/server/change-store.ts';

/** The most offers of a store: every order is priced by all that are active, and every page comes with them. */
const maxOffers = 100;

export function offerHandlers(services: StoreChangeServices): Handlers<typeof offerEndpoints, Db, Tx> {
  return {
    'GET /v1/offers': async ({ db, query }) => {
      const all = await allOffers(db);
      const wanted = all.filter(
        ({ store_id: id }) => query.store_id === undefined || id === query.store_id.toLowerCase(),
      );
      return pageOfArray('/v1/offers', query, wanted);
    },

    'GET /v1/offers/{id}': async ({ db, params }) => ({ data: await findOffer(db, params.id) }),

    'POST /v1/offers': async ({ body: { store_id, ...fields }, ...call }) => {
      const storeId = store_id.toLowerCase();
      const offer = { id: randomUUIDv7(), ...checked({ ...emptyOffer, ...fields }) };
      await changeOffers(services, call, storeId, (offers) => {
        if (offers.length >= maxOffers) throw new AppError('conflict', m.offers_too_many({ max: maxOffers }));
        return [...offers, offer];
      });
      return { data: { ...offer, store_id: storeId } };
    },

    'PATCH /v1/offers/{id}': async ({ params, body: { was, ...fields }, ...call }) => {
      const { id, store_id } = await findOffer(call.db, params.id);
      await changeOffers(services, call, store_id, (offers) =>
        offers.map((offer) => {
          if (offer.id !== id) return offer;
          refuseIfChanged(Offer, { ...offer, store_id }, { ...fields, was });
          return { id, ...checked({ ...offer, ...fields }) };
        }),
      );
      return { data: await findOffer(call.db, id) };
    },

    'DELETE /v1/offers/{id}': async ({ params, ...call }) => {
      const { id, store_id } = await findOffer(call.db, params.id);
      await changeOffers(services, call, store_id, (offers) => offers.filter((offer) => offer.id !== id));
    },
  };
}

async function allOffers(db: Db): Promise<Offer[]> {
  const stores = await readOffers(db);
  return stores.flatMap(({ store_id, offers }) => offers.map((offer) => ({ ...offer, store_id })));
}

async function findOffer(db: Db, id: string): Promise<Offer> {
  const found = (await allOffers(db)).find((offer) => offer.id === id.toLowerCase());
  if (!found) throw new AppError('not_found', m.offers_not_found());
  return found;
}

/** The offer as it is stored. Throws 422 at the field that it lacks, or that contradicts another one. */
function checked(fields: OfferFields): OfferFields {
  const offer = withoutUnusedFields(fields);
  const problem = offerProblem(offer);
  if (problem) throw invalidFieldError(problem.field, problem.message);
  return offer;
}
