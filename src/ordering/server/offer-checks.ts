import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { countAttempt, refuseBlockedNetwork } from '#accounts/server/throttle.ts';
import type { BasketQuote, BasketToQuote } from '#ordering/basket.ts';
import { areOfferConditionsMet, findNearlyReachedOffers, type OfferContext } from '#ordering/offers/find-discounts.ts';
import { createMenuNameLookup, offerRuleWords } from '#ordering/offers/offer-words.ts';
import type { Discount } from '#ordering/order.ts';
import { calledOffStatuses } from '#ordering/order-status.ts';
import { lastPhoneDigits } from '#platform/contact-shapes.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import { formatMoney } from '#platform/money.ts';
import { isStaff, type Viewer } from '#platform/http/viewer.ts';
import type { Shop } from '#shop/server/shop-cache.ts';
import type { Store } from '#store/contract.ts';
import { normaliseOfferCode, needsServerCheck, dependsOnPerson, type StoredOffer } from '#store/offer-shapes.ts';
import { tradingDayOf } from '#store/opening-hours.ts';

type OfferBasket = Pick<BasketToQuote, 'codes' | 'contact' | 'replaces'>;
type OfferShop = Pick<Shop, 'store' | 'offers'>;

/** The reason why an offer does not apply. `unasked`: the offer depends on the person, who is not known yet. */
type Refusal = 'used_up' | 'person' | 'unasked';

export interface CheckedOffers extends Required<Pick<OfferContext, 'codes' | 'budgets'>> {
  allowed: StoredOffer[];
  refused: ReadonlyMap<StoredOffer, Refusal>;
  /** The typed code; null if none was typed. */
  code: TypedCode | null;
}

interface TypedCode {
  typed: string;
  /** The code's offer; null for an unknown code. */
  offer: StoredOffer | null;
  /**
   * Whether the code was looked up among the single-use codes. This happens only if the code is not the shared code of
   * an offer.
   */
  isSingle: boolean;
}

/** Finds the offers that a basket may get, among the automatic offers and the offer of its code. */
export async function checkOffers(
  db: Db,
  shop: OfferShop,
  basket: OfferBasket,
  { viewer, now }: { viewer: Viewer | null; now: Date },
): Promise<CheckedOffers> {
  const code = await findCode(db, shop, basket);
  const wanted = [...shop.offers.filter(({ by_code }) => !by_code), ...(code?.offer ? [code.offer] : [])];
  const person = personOf(viewer, basket);
  const counts = await countUses(db, shop, wanted.filter(needsServerCheck), { person, now, replaces: basket.replaces });
  const refused = new Map<StoredOffer, Refusal>();
  for (const offer of wanted) {
    const refusal = needsServerCheck(offer) ? refusalOf(offer, counts.get(offer.id) ?? unused, person) : null;
    if (refusal) refused.set(offer, refusal);
  }
  if (code?.isSingle && code.offer && (await isCodeUsed(db, code.offer, code.typed, basket.replaces)))
    refused.set(code.offer, 'used_up');
  const budgets = wanted.flatMap(({ id, budget }): [string, number][] =>
    budget === null ? [] : [[id, budget - (counts.get(id)?.spent ?? 0)]],
  );
  return {
    allowed: wanted.filter((offer) => !refused.has(offer)),
    refused,
    code,
    codes: new Map(code?.offer ? [[code.offer.id, code.typed]] : []),
    budgets: new Map(budgets),
  };
}

async function findCode(db: Db, { store, offers }: OfferShop, { codes }: OfferBasket): Promise<TypedCode | null> {
  const [typed] = codes ?? [];
  if (typed === undefined) return null;
  const byCode = offers.filter(({ by_code }) => by_code);
  const shared = byCode.find((offer) => isSharedCode(offer, typed));
  if (shared || byCode.length === 0) return { typed, offer: shared ?? null, isSingle: false };
  const single = await db
    .selectFrom('offer_codes')
    .select('offer_id')
    .where('store_id', '=', store.id)
    .where('code', '=', normaliseOfferCode(typed))
    .executeTakeFirst();
  return { typed, offer: byCode.find(({ id }) => id === single?.offer_id) ?? null, isSingle: true };
}

function isSharedCode({ code }: StoredOffer, typed: string): boolean {
  return code !== null && normaliseOfferCode(code) === normaliseOfferCode(typed);
}

async function isCodeUsed(db: Db, { id }: StoredOffer, typed: string, replaces: string | undefined): Promise<boolean> {
  const replaced = replaces === undefined ? null : hashSession(replaces);
  const { rows } = await sql`
    select from offer_uses where offer_id = ${id} and code = ${normaliseOfferCode(typed)}
      and (select session_hash from orders where orders.id = order_id) is distinct from ${replaced} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Digits and capitals that people do not confuse. There are no vowels, so that no code is a rude word. */
const codeLetters = '23456789BCDFGHJKMNPQRSTVWXYZ';
const codeLength = 10;

export async function createSingleUseCodes(
  tx: Tx,
  { id, store_id }: { id: string; store_id: string },
  count: number,
  now: Date,
): Promise<string[]> {
  const made = Array.from({ length: count }, () =>
    Array.from({ length: codeLength }, () => codeLetters[randomInt(codeLetters.length)]).join(''),
  );
  const rows = made.map((code) => ({ store_id, code, offer_id: id, created_at: now }));
  await tx.insertInto('offer_codes').values(rows).execute();
  return made;
}

export async function deleteSingleUseCodes(tx: Tx, offerId: string): Promise<void> {
  await tx.deleteFrom('offer_codes').where('offer_id', '=', offerId).execute();
}

export interface SingleUseCodeCounts {
  codes_made: number;
  codes_used: number;
}

/** Counts single-use codes by offer; offers without such codes are missing. */
export async function countSingleUseCodes(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SingleUseCodeCounts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<SingleUseCodeCounts & { offer_id: string }>`
    select offer_id, count(*)::int as codes_made, count(order_id)::int as codes_used
    from offer_codes left join offer_uses using (offer_id, code)
    where offer_id = any(${ids}::uuid[]) group by offer_id`.execute(db);
  return new Map(rows.map((row) => [row.offer_id, row]));
}

interface Person {
  customer: string | null;
  phone: string | null;
  email: string | null;
  hasContact: boolean;
}

function personOf(viewer: Viewer | null, { contact }: OfferBasket): Person {
  const phone = lastPhoneDigits(contact?.phone ?? '');
  const email = contact?.email?.trim().toLowerCase() || null;
  return {
    customer: viewer?.role === 'customer' ? viewer.id : null,
    phone,
    email,
    hasContact: phone !== null || email !== null,
  };
}

interface UseCounts {
  uses: number;
  /** The sum of the discounts in minor units. */
  spent: number;
  today: number;
  of_person: number;
  has_ordered: boolean;
}
const unused: UseCounts = { uses: 0, spent: 0, today: 0, of_person: 0, has_ordered: false };

function refusalOf(offer: StoredOffer, counts: UseCounts, person: Person): Refusal | null {
  const { max_uses, max_uses_per_day, budget } = offer;
  const isReached = (limit: number | null, count: number) => limit !== null && count >= limit;
  if (isReached(max_uses, counts.uses) || isReached(max_uses_per_day, counts.today) || isReached(budget, counts.spent))
    return 'used_up';
  return dependsOnPerson(offer) ? personRefusalOf(offer, counts, person) : null;
}

function personRefusalOf(offer: StoredOffer, counts: UseCounts, person: Person): Refusal | null {
  const { first_order_only, customer_ids, max_uses_per_person } = offer;
  const isKnown = person.hasContact || person.customer !== null;
  const isChosen = customer_ids === null || (person.customer !== null && customer_ids.includes(person.customer));
  const hadIt = (first_order_only && counts.has_ordered) || counts.of_person >= (max_uses_per_person ?? Infinity);
  if (hadIt || (isKnown && !isChosen)) return 'person';
  const isCounted = first_order_only || max_uses_per_person !== null;
  return !isChosen || (isCounted && !person.hasContact) ? 'unasked' : null;
}

/**
 * Counts the uses of each offer: all uses, today's uses, and the uses by this person. Called-off orders do not count.
 */
async function countUses(
  db: Db,
  { store }: OfferShop,
  offers: readonly StoredOffer[],
  { person, now, replaces }: { person: Person; now: Date; replaces: string | undefined },
): Promise<ReadonlyMap<string, UseCounts>> {
  if (offers.length === 0) return new Map();
  const replaced = replaces === undefined ? null : hashSession(replaces);
  const isOwn = [
    ...(person.customer === null ? [] : [sql`customer_id = ${person.customer}`]),
    ...(person.phone === null ? [] : [sql`phone_key(contact) = ${person.phone}`]),
    ...(person.email === null ? [] : [sql`lower(contact->>'email') = ${person.email}`]),
    sql`false`,
  ];
  const { rows } = await sql<UseCounts & { offer_id: string }>`
    with own as materialized (
      select id from orders
      where (${sql.join(isOwn, sql` or `)}) and store_id = ${store.id} and channel <> 'test'
        and session_hash is distinct from ${replaced} and status not in (${sql.join(calledOffStatuses)})
    ), replaced as materialized (select id from orders where session_hash = ${replaced})
    select offer_id, counted.*, exists (select from own) as has_ordered
    from unnest(${offers.map(({ id }) => id)}::uuid[]) as wanted (offer_id) cross join lateral (
      select count(*)::int as uses, coalesce(sum(u.amount), 0)::float8 as spent,
        (count(*) filter (where u.trading_day = ${tradingDayOf(store, now)}::date))::int as today,
        (count(*) filter (where u.order_id in (select id from own)))::int as of_person
      from offer_uses u
      where u.offer_id = wanted.offer_id and u.order_id not in (select id from replaced)
    ) counted`.execute(db);
  return new Map(rows.map((row) => [row.offer_id, row]));
}

/** Reads the number of uses and the sum of discounts (minor units) by offer. Unused offers are missing. */
export async function readOfferUses(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<UseCounts, 'uses' | 'spent'>>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Pick<UseCounts, 'uses' | 'spent'> & { offer_id: string }>`
    select offer_id, count(*)::int as uses, sum(amount)::float8 as spent from offer_uses
    where offer_id = any(${ids}::uuid[]) group by offer_id`.execute(db);
  return new Map(rows.map((row) => [row.offer_id, row]));
}

/**
 * Whether an order's discounts include an offer whose uses are counted, or a single-use code. Such an order is placed
 * under that offer's lock.
 */
export function hasServerCheckedOffer({ offers }: OfferShop, discounts: readonly Discount[]): boolean {
  return discounts.some(({ offer_id: id, code }) =>
    offers.some(
      (offer) => offer.id === id && (needsServerCheck(offer) || (code !== null && !isSharedCode(offer, code))),
    ),
  );
}

/** Makes orders that may get the same counted offer wait for each other, on all instances. */
export async function lockServerCheckedOffers(tx: Tx, shop: OfferShop, basket: OfferBasket): Promise<void> {
  const code = await findCode(tx, shop, basket);
  const ids = shop.offers
    .filter((offer) =>
      offer.by_code ? offer === code?.offer && (needsServerCheck(offer) || code.isSingle) : needsServerCheck(offer),
    )
    .map(({ id }) => id);
  if (ids.length === 0) return;
  await sql`
    select pg_advisory_xact_lock(turn) from (
      select distinct hashtextextended('offer ' || id, 0) as turn from unnest(${ids}::text[]) as each (id) order by turn
    ) sorted`.execute(tx);
}

/**
 * Counts an unknown code as a guess. After too many guesses from a network, every code from it is refused with 429, so
 * that no refusal reveals whether a code exists.
 */
export async function throttleOfferCodeGuesses(
  db: Db,
  shop: OfferShop,
  basket: OfferBasket,
  { viewer, address, now }: { viewer: Viewer; address: string; now: Date },
): Promise<void> {
  if (isStaff(viewer)) return;
  const code = await findCode(db, shop, basket);
  if (!code) return;
  if (code.offer) await refuseBlockedNetwork(db, 'offer-code', address, now);
  else await countAttempt(db, 'offer-code', { address }, now);
}

/**
 * Adds a problem for a code that does not apply to the basket. A code has no problem if a better offer displaces it, or
 * if the person's details are still missing. Returns the quote's `offers`: the near offers, the offers that need the
 * person's details, and the conditions of the code's offer.
 */
export function offerFieldsOfQuote(
  { code, refused }: CheckedOffers,
  offered: Omit<OfferContext, 'store'> & { store: Store },
  { quote, savesAlone }: { quote: BasketQuote; savesAlone: (offer: StoredOffer) => boolean },
): Pick<BasketQuote, 'offers'> {
  const { subtotal, problems } = quote;
  const message = code && refusalWords();
  if (message) problems.push({ code: 'code_not_valid', message, path: 'codes.0' });
  if (!offered.store.offers && !code) return {};
  const waits = (offer: StoredOffer) =>
    refused.get(offer) === 'unasked' &&
    areOfferConditionsMet(offer, offered) &&
    subtotal >= (offer.minimum_subtotal ?? 0);
  // An automatic offer for chosen customers stays hidden from all others.
  const shown = [...refused.keys()].filter(({ by_code, customer_ids }) => by_code || customer_ids === null);
  return {
    offers: {
      near: findNearlyReachedOffers(offered, subtotal).map(({ offer_id, missing }) => ({ offer_id, missing })),
      on_order: shown.filter(waits).map(({ id }) => id),
      ...(message === null && code?.offer && { conditions: [conditionsOf(code.offer)] }),
    },
  };

  function conditionsOf(offer: StoredOffer): { offer_id: string; sentence: string } {
    const sentence = `${offerRuleWords(offer, offered.store, createMenuNameLookup(offered.menus))}.`;
    return { offer_id: offer.id, sentence };
  }

  function refusalWords(): string | null {
    const offer = code?.offer;
    if (!offer || !isOnDates(offer, offered.now)) return m.ordering_code_unknown();
    if (refused.get(offer) === 'used_up') return m.ordering_code_used_up();
    const missing = (offer.minimum_subtotal ?? 0) - subtotal;
    if (refused.get(offer) === 'person' || !areOfferConditionsMet(offer, offered))
      return m.ordering_code_not_for_this();
    if (missing > 0) return m.ordering_code_minimum({ amount: formatMoney(missing, offered.store.currency) });
    return refused.has(offer) || savesAlone(offer) ? null : m.ordering_code_not_for_this();
  }
}

function isOnDates({ starts_at: start, ends_at: end }: StoredOffer, now: Date): boolean {
  return (start === null || now >= new Date(start)) && (end === null || now < new Date(end));
}
