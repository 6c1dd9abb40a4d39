import { sql } from 'kysely';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { countAttempt, refuseBlocked } from '#accounts/server/throttle.ts';
import type { BasketQuote, QuotedBasket } from '#ordering/basket.ts';
import { isOpen, nearOffers, type OfferCircumstances } from '#ordering/offers/find-discounts.ts';
import { calledOffStatuses } from '#ordering/order-status.ts';
import { phoneKey } from '#platform/contact-shapes.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import { formatMoney } from '#platform/money.ts';
import { isStaff, type Viewer } from '#platform/http/viewer.ts';
import type { Shop } from '#shop/server/shop-cache.ts';
import type { Store } from '#store/contract.ts';
import { codeKey, isChecked, isOfPerson, type StoredOffer } from '#store/offer-shapes.ts';
import { tradingDayOf } from '#store/opening-hours.ts';

type OfferBasket = Pick<QuotedBasket, 'codes' | 'contact' | 'replaces'>;
type OfferShop = Pick<Shop, 'store' | 'offers'>;

/** The reason for which an offer does not apply; `unasked`: it depends on a person who is not known yet. */
type Refusal = 'used_up' | 'person' | 'unasked';

/** The offers that a basket may get, as far as people and limits decide. */
export interface CheckedOffers extends Required<Pick<OfferCircumstances, 'codes' | 'budgets'>> {
  allowed: StoredOffer[];
  refused: ReadonlyMap<StoredOffer, Refusal>;
  /** The typed code and its offer, null for an unknown code. */
  code: { typed: string; offer: StoredOffer | null } | null;
}

/** Reads which of a store's offers a basket may get: the automatic ones and that of its code. */
export async function checkOffers(
  db: Db,
  shop: OfferShop,
  basket: OfferBasket,
  { viewer, now }: { viewer: Viewer | null; now: Date },
): Promise<CheckedOffers> {
  const code = findCode(shop, basket);
  const wanted = [...shop.offers.filter(({ by_code }) => !by_code), ...(code?.offer ? [code.offer] : [])];
  const person = personOf(viewer, basket);
  const counts = await countUses(db, shop, wanted.filter(isChecked), { person, now, replaces: basket.replaces });
  const refused = new Map<StoredOffer, Refusal>();
  for (const offer of wanted) {
    const refusal = isChecked(offer) ? refusalOf(offer, counts.get(offer.id) ?? unused, person) : null;
    if (refusal) refused.set(offer, refusal);
  }
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

function findCode({ offers }: OfferShop, { codes }: OfferBasket): CheckedOffers['code'] {
  const [typed] = codes ?? [];
  if (typed === undefined) return null;
  const key = codeKey(typed);
  return { typed, offer: offers.find(({ code }) => code !== null && codeKey(code) === key) ?? null };
}

interface Person {
  customer: string | null;
  phone: string | null;
  email: string | null;
  /** Whether the phone number and the email address are known too. */
  isWhole: boolean;
}

function personOf(viewer: Viewer | null, { contact }: OfferBasket): Person {
  const phone = phoneKey(contact?.phone ?? '');
  const email = contact?.email?.trim().toLowerCase() || null;
  return {
    customer: viewer?.role === 'customer' ? viewer.id : null,
    phone,
    email,
    isWhole: phone !== null || email !== null,
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
  return isOfPerson(offer) ? personRefusalOf(offer, counts, person) : null;
}

function personRefusalOf(offer: StoredOffer, counts: UseCounts, person: Person): Refusal | null {
  const { first_order_only, customer_ids, max_uses_per_person } = offer;
  const isKnown = person.isWhole || person.customer !== null;
  const isChosen = customer_ids === null || (person.customer !== null && customer_ids.includes(person.customer));
  const hadIt = (first_order_only && counts.has_ordered) || counts.of_person >= (max_uses_per_person ?? Infinity);
  if (hadIt || (isKnown && !isChosen)) return 'person';
  const isCounted = first_order_only || max_uses_per_person !== null;
  return !isChosen || (isCounted && !person.isWhole) ? 'unasked' : null;
}

/** The counts of offers: their uses by orders that are not called off, and those of the person. */
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

/** The uses of offers and the sum of their discounts, by offer; without those that nobody has used. */
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

/** Whether an order has a discount that is counted, so that it must be placed under the lock. */
export function hasCheckedOffer(
  { offers }: OfferShop,
  discounts: readonly { offer_id?: string | undefined }[],
): boolean {
  return discounts.some(({ offer_id: id }) => offers.some((offer) => offer.id === id && isChecked(offer)));
}

/** Serialises the orders that may get one of the counted offers, on all instances. */
export async function lockCheckedOffers(tx: Tx, shop: OfferShop, basket: OfferBasket): Promise<void> {
  const ofCode = findCode(shop, basket)?.offer;
  const ids = shop.offers
    .filter((offer) => isChecked(offer) && (!offer.by_code || offer === ofCode))
    .map(({ id }) => id);
  if (ids.length === 0) return;
  await sql`
    select pg_advisory_xact_lock(turn) from (
      select distinct hashtextextended('offer ' || id, 0) as turn from unnest(${ids}::text[]) as each (id) order by turn
    ) sorted`.execute(tx);
}

/**
 * Counts an unknown code as a guess. After too many guesses of a network every code is refused, so that the refusal
 * does not reveal which codes exist. Throws 429.
 */
export async function countCodeGuess(
  db: Db,
  shop: OfferShop,
  basket: OfferBasket,
  { viewer, address, now }: { viewer: Viewer; address: string; now: Date },
): Promise<void> {
  const code = findCode(shop, basket);
  if (!code || isStaff(viewer)) return;
  if (code.offer) await refuseBlocked(db, 'offer-code', address, now);
  else await countAttempt(db, 'offer-code', { address }, now);
}

/**
 * Adds the problem of a code that takes nothing off, unless another offer saves more. Returns the quote's field about
 * offers: those that are near, and those that need the person's details.
 */
export function answerOffers(
  { code, refused }: CheckedOffers,
  offered: Omit<OfferCircumstances, 'store'> & { store: Store },
  { quote, savesAlone }: { quote: BasketQuote; savesAlone: (offer: StoredOffer) => boolean },
): Pick<BasketQuote, 'offers'> {
  const { subtotal, problems } = quote;
  const message = code && refusalWords();
  if (message) problems.push({ code: 'code_not_valid', message, path: 'codes.0' });
  if (!offered.store.offers && !code) return {};
  const waits = (offer: StoredOffer) =>
    refused.get(offer) === 'unasked' && isOpen(offer, offered) && subtotal >= (offer.minimum_subtotal ?? 0);
  // An automatic offer for chosen customers stays hidden from everybody else.
  const shown = [...refused.keys()].filter(({ by_code, customer_ids }) => by_code || customer_ids === null);
  return {
    offers: {
      near: nearOffers(offered, subtotal).map(({ offer_id, missing }) => ({ offer_id, missing })),
      on_order: shown.filter(waits).map(({ id }) => id),
    },
  };

  function refusalWords(): string | null {
    const offer = code?.offer;
    if (!offer || !isOnDates(offer, offered.now)) return m.ordering_code_unknown();
    if (refused.get(offer) === 'used_up') return m.ordering_code_used_up();
    const missing = (offer.minimum_subtotal ?? 0) - subtotal;
    if (refused.get(offer) === 'person' || !isOpen(offer, offered)) return m.ordering_code_not_for_this();
    if (missing > 0) return m.ordering_code_minimum({ amount: formatMoney(missing, offered.store.currency) });
    return refused.has(offer) || savesAlone(offer) ? null : m.ordering_code_not_for_this();
  }
}

function isOnDates({ starts_at: start, ends_at: end }: StoredOffer, now: Date): boolean {
  return (start === null || now >= new Date(start)) && (end === null || now < new Date(end));
}
