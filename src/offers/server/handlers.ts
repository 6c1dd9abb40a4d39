import { randomUUIDv7 } from 'node:crypto';
import { m } from '#messages';
import { paginateArray } from '#database/read-page.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { Offer, offerEndpoints } from '#offers/contract.ts';
import { emptyOffer, offerProblem, withoutUnusedFields } from '#offers/offer-rules.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { DownloadAnswer } from '#platform/http/answer.ts';
import { refuseStaleChange } from '#platform/http/conflict-check.ts';
import type { Handlers } from '#platform/http/serve.ts';
import {
  createSingleUseCodes,
  countSingleUseCodes,
  deleteSingleUseCodes,
  readOfferUses,
} from '#ordering/server/offer-checks.ts';
import { normaliseOfferCode, type OfferFields, StoredOffer } from '#store/offer-shapes.ts';
import { changeOffers, readOffers } from '#store/server/change-offers.ts';
import type { StoreChangeServices } from '#store/server/change-store.ts';

/**
 * The maximum number of offers of a store. It is low, because each quote checks all active offers, and every customer's
 * page loads them.
 */
const maxOffers = 100;

/** The maximum number of single-use codes of an offer. */
const maxCodes = 20_000;

export function offerHandlers(services: StoreChangeServices): Handlers<typeof offerEndpoints, Db, Tx> {
  return {
    'GET /v1/offers': async ({ db, query }) => {
      const all = await allOffers(db);
      const wanted = all.filter(
        ({ store_id: id }) => query.store_id === undefined || id === query.store_id.toLowerCase(),
      );
      const page = paginateArray('/v1/offers', query, wanted);
      return { ...page, data: await withUses(db, page.data) };
    },

    'GET /v1/offers/{id}': async ({ db, params }) => shown(db, params.id),

    'POST /v1/offers': async ({ body: { store_id, ...fields }, ...call }) => {
      const storeId = store_id.toLowerCase();
      const offer = { id: randomUUIDv7(), ...checked({ ...emptyOffer, ...fields }) };
      await changeOffers(services, call, storeId, (offers) => {
        if (offers.length >= maxOffers) throw new AppError('conflict', m.offers_too_many({ max: maxOffers }));
        refuseTakenCode(offer, offers);
        return [...offers, offer];
      });
      return shown(call.db, offer.id);
    },

    'PATCH /v1/offers/{id}': async ({ params, body: { was, ...fields }, ...call }) => {
      const { id, store_id } = await findOffer(call.db, params.id);
      await changeOffers(services, call, store_id, (offers) =>
        offers.map((offer) => {
          if (offer.id !== id) return offer;
          refuseStaleChange(StoredOffer, offer, { ...fields, was });
          const changed = { id, ...checked({ ...offer, ...fields }) };
          refuseTakenCode(changed, offers);
          return changed;
        }),
      );
      return shown(call.db, id);
    },

    'POST /v1/offers/{id}/codes': async ({ db, params, body, now }) => {
      const offer = await findOffer(db, params.id);
      if (!offer.by_code) throw new AppError('conflict', m.offers_codes_of_automatic());
      const counts = await countSingleUseCodes(db, [offer.id]);
      if ((counts.get(offer.id)?.codes_made ?? 0) + body.count > maxCodes)
        throw new AppError('conflict', m.offers_codes_too_many({ max: maxCodes }));
      const codes = await createSingleUseCodes(db, offer, body.count, now);
      return new DownloadAnswer('codes.csv', 'text/csv; charset=utf-8', ['code', ...codes, ''].join('\r\n'));
    },

    'DELETE /v1/offers/{id}': async ({ params, ...call }) => {
      const { id, store_id } = await findOffer(call.db, params.id);
      await changeOffers(services, call, store_id, (offers) => offers.filter((offer) => offer.id !== id));
      await deleteSingleUseCodes(call.db, id);
    },
  };
}

type OfferOfStore = StoredOffer & { store_id: string };

async function shown(db: Db, id: string): Promise<{ data: Offer }> {
  const [data] = await withUses(db, [await findOffer(db, id)]);
  if (!data) throw new AppError('not_found', m.offers_not_found());
  return { data };
}

async function withUses(db: Db, offers: readonly OfferOfStore[]): Promise<Offer[]> {
  const ids = offers.map(({ id }) => id);
  const uses = await readOfferUses(db, ids);
  const codes = await countSingleUseCodes(db, ids);
  const unused = { uses: 0, spent: 0, codes_made: 0, codes_used: 0 };
  return offers.map((offer) => ({ ...unused, ...offer, ...uses.get(offer.id), ...codes.get(offer.id) }));
}

/** Throws 422 at `code` if another offer of the store has the same code. */
function refuseTakenCode({ id, code }: StoredOffer, offers: readonly StoredOffer[]): void {
  if (code === null) return;
  const holder = offers.find(
    (other) => other.id !== id && other.code !== null && normaliseOfferCode(other.code) === normaliseOfferCode(code),
  );
  if (holder) throw invalidFieldError('code', m.offers_code_taken({ name: holder.name }));
}

async function allOffers(db: Db): Promise<OfferOfStore[]> {
  const stores = await readOffers(db);
  return stores.flatMap(({ store_id, offers }) => offers.map((offer) => ({ ...offer, store_id })));
}

async function findOffer(db: Db, id: string): Promise<OfferOfStore> {
  const found = (await allOffers(db)).find((offer) => offer.id === id.toLowerCase());
  if (!found) throw new AppError('not_found', m.offers_not_found());
  return found;
}

/** Returns the offer in its stored form. Throws 422 at a field that is missing, or that contradicts another field. */
function checked(fields: OfferFields): OfferFields {
  const offer = withoutUnusedFields({ ...fields, by_code: fields.by_code || fields.code !== null });
  const problem = offerProblem(offer);
  if (problem) throw invalidFieldError(problem.field, problem.message);
  return offer;
}
