import { apportionAmong, proportionalShare } from '#platform/money.ts';
import type { PublicOffer } from '#store/offer-shapes.ts';

export interface OfferLine {
  item_id: string;
  category_ids: readonly string[];
  /** Whether the dish has a minimum age. Such a dish is never discounted. */
  isAged: boolean;
  /** The price of the dish or of its size, without extras; minor units. */
  own: number;
  quantity: number;
  total: number;
}

export interface OfferBasket {
  lines: readonly OfferLine[];
  delivery: number;
}

export interface AppliedOffers {
  cuts: { offer: PublicOffer; amount: number }[];
  /** Each line's share of the discounts, except discounts on delivery. A share is at most the line's total. */
  shares: number[];
  saved: number;
}

/**
 * Chooses the offers that make the basket cheapest: all combinable offers together, or one other offer alone. If both
 * cost the same, the combination wins; of two single offers, the older one. The caller has checked the conditions of
 * all `offers`. Each piece takes part in at most one item offer.
 */
export function applyOffers(offers: readonly PublicOffer[], basket: OfferBasket): AppliedOffers {
  const { lines } = basket;
  const dearestFirst = [...lines.keys()].sort((a, b) => (lines[b]?.own ?? 0) - (lines[a]?.own ?? 0) || a - b);
  const concerned = offers
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((offer) => concernedOffer(offer, lines, dearestFirst));
  let best = applyTogether(
    concerned.filter(({ offer }) => offer.combines),
    basket,
  );
  for (const one of concerned) {
    if (one.alone && one.alone.saved <= best.saved) continue;
    const alone = applyTogether([one], basket);
    if (alone.saved > best.saved) best = alone;
  }
  return best;
}

/** An offer with the indexes of the lines that it may discount, ordered by the price of their dishes, dearest first. */
interface ConcernedOffer {
  offer: PublicOffer;
  lines: readonly number[];
  parts: readonly { quantity: number; lines: readonly number[] }[];
  /** An item offer's saving if no other item offer takes pieces of the basket; null for any other kind of offer. */
  alone: ItemSaving | null;
}

function concernedOffer(
  offer: PublicOffer,
  lines: readonly OfferLine[],
  dearestFirst: readonly number[],
): ConcernedOffer {
  const { item_ids, category_ids, excluded_item_ids, parts } = offer;
  const excluded = new Set(excluded_item_ids);
  const linesOf = (isListed: (line: OfferLine) => boolean) =>
    dearestFirst.filter((at) => {
      const line = lines[at];
      return line && !line.isAged && !excluded.has(line.item_id) && isListed(line);
    });
  const listed = new Set(item_ids);
  const isForAll = !item_ids && !category_ids;
  const of: ConcernedOffer = {
    offer,
    lines: parts
      ? []
      : linesOf(
          (line) => isForAll || listed.has(line.item_id) || line.category_ids.some((id) => category_ids?.includes(id)),
        ),
    parts: (parts ?? []).map(({ item_ids: ids, quantity }) => {
      const ofPart = new Set(ids);
      return { quantity, lines: linesOf(({ item_id }) => ofPart.has(item_id)) };
    }),
    alone: null,
  };
  const free = lines.map(({ quantity }) => quantity);
  return offer.kind in itemOffers ? { ...of, alone: savingOf(of, lines, free) } : of;
}

function applyTogether(offers: readonly ConcernedOffer[], { lines, delivery }: OfferBasket): AppliedOffers {
  const free = lines.map(({ quantity }) => quantity);
  const shares = lines.map(() => 0);
  const cuts: AppliedOffers['cuts'] = [];
  const waiting = offers.flatMap(({ alone }) => alone ?? []);
  for (;;) {
    const most = Math.max(0, ...waiting.map(({ saved }) => saved));
    if (most === 0) break;
    const best = waiting.findIndex(({ saved }) => saved === most);
    const [chosen] = waiting.splice(best, 1);
    if (!chosen) break;
    const { of, taken } = chosen;
    const touched = new Set(taken.map(({ line }) => line));
    for (const { one, part } of apportionAmong(most, taken, ({ weight }) => weight)) {
      free[one.line] = (free[one.line] ?? 0) - one.pieces;
      shares[one.line] = (shares[one.line] ?? 0) + part;
    }
    cuts.push({ offer: of.offer, amount: most });
    for (const [at, other] of waiting.entries())
      if (other.taken.some(({ line }) => touched.has(line))) waiting[at] = savingOf(other.of, lines, free);
  }
  cuts.push(...applyToSums(offers, lines, shares));
  const ofDelivery = offers.find(({ offer }) => offer.kind === 'free_delivery');
  if (ofDelivery && delivery > 0) cuts.push({ offer: ofDelivery.offer, amount: delivery });
  return { cuts, shares, saved: cuts.reduce((sum, { amount }) => sum + amount, 0) };
}

/** Applies the `percent` and `amount` offers. Each is computed on the sum of its lines after item offers. */
function applyToSums(
  offers: readonly ConcernedOffer[],
  lines: readonly OfferLine[],
  shares: number[],
): AppliedOffers['cuts'] {
  const before = lines.map(({ total }, line) => total - (shares[line] ?? 0));
  return offers.flatMap(({ offer, lines: concerned }) => {
    if (offer.kind !== 'percent' && offer.kind !== 'amount') return [];
    const left = (line: number) => (lines[line]?.total ?? 0) - (shares[line] ?? 0);
    const sum = concerned.reduce((all, line) => all + (before[line] ?? 0), 0);
    const most = concerned.reduce((all, line) => all + left(line), 0);
    const value = offer.value ?? 0;
    const amount = Math.min(most, offer.kind === 'percent' ? proportionalShare(sum, value, 10_000) : value);
    if (amount === 0) return [];
    const inOrder = concerned.toSorted((a, b) => a - b);
    for (const { one, part } of apportionAmong(amount, inOrder, left)) shares[one] = (shares[one] ?? 0) + part;
    return [{ offer, amount }];
  });
}

interface TakenPieces {
  line: number;
  pieces: number;
  /** The weight of these pieces when the saving is divided among the lines. */
  weight: number;
}

interface ItemSaving {
  of: ConcernedOffer;
  taken: TakenPieces[];
  saved: number;
}

type Take = (
  of: ConcernedOffer,
  lines: readonly OfferLine[],
  free: readonly number[],
) => Pick<ItemSaving, 'taken' | 'saved'>;
const itemOffers: Partial<Record<PublicOffer['kind'], Take>> = {
  item_price: takeAtPrice,
  n_for_m: takeInSets,
  set_price: takeSet,
};

function savingOf(of: ConcernedOffer, lines: readonly OfferLine[], free: readonly number[]): ItemSaving {
  return { of, ...(itemOffers[of.offer.kind]?.(of, lines, free) ?? { taken: [], saved: 0 }) };
}

function takenWith(taken: TakenPieces[]) {
  return { taken, saved: taken.reduce((sum, { weight }) => sum + weight, 0) };
}

function takeAtPrice(
  { offer, lines: concerned }: ConcernedOffer,
  lines: readonly OfferLine[],
  free: readonly number[],
) {
  let left = offer.max_pieces ?? Infinity;
  const taken = concerned.flatMap((line): TakenPieces[] => {
    const off = (lines[line]?.own ?? 0) - (offer.value ?? 0);
    const pieces = Math.min(left, free[line] ?? 0);
    if (off <= 0 || pieces <= 0) return [];
    left -= pieces;
    return [{ line, pieces, weight: off * pieces }];
  });
  return takenWith(taken);
}

/** Groups pieces from dear to cheap into full sets, and makes the cheapest pieces of each set free. */
function takeInSets({ offer, lines: concerned }: ConcernedOffer, lines: readonly OfferLine[], free: readonly number[]) {
  const take = offer.take ?? 1;
  const pay = offer.pay ?? take;
  const most = offer.max_pieces ?? Infinity;
  const all = concerned.reduce((sum, line) => sum + (free[line] ?? 0), 0);
  const sets = Math.min(Math.floor(all / take), Math.ceil(most / (take - pay)));
  const freeBefore = (place: number) =>
    Math.min(most, Math.floor(place / take) * (take - pay) + Math.max(0, (place % take) - pay));
  let place = 0;
  const taken = concerned.flatMap((line): TakenPieces[] => {
    const pieces = Math.min(free[line] ?? 0, sets * take - place);
    const gratis = freeBefore(place + pieces) - freeBefore(place);
    place += pieces;
    return pieces > 0 ? [{ line, pieces, weight: (lines[line]?.own ?? 0) * gratis }] : [];
  });
  return takenWith(taken);
}

/** Builds sets of the dearest pieces of each group, as long as a set costs less than its pieces. */
function takeSet({ offer, parts }: ConcernedOffer, lines: readonly OfferLine[], free: readonly number[]) {
  const left = [...free];
  const value = offer.value ?? 0;
  const size = parts.reduce((sum, { quantity }) => sum + quantity, 0);
  let saved = 0;
  let room = Math.floor((offer.max_pieces ?? Infinity) / size);
  while (room > 0) {
    const set = fillSet(parts, left);
    if (!set) break;
    const worth = set.reduce((sum, { line, pieces }) => sum + (lines[line]?.own ?? 0) * pieces, 0);
    if (worth <= value) break;
    // Each further set takes the same pieces until one of the lines runs out, so all these sets are taken in one step.
    const times = set.reduce((most, { line, pieces }) => Math.min(most, Math.floor((left[line] ?? 0) / pieces)), room);
    for (const { line, pieces } of set) left[line] = (left[line] ?? 0) - pieces * times;
    saved += (worth - value) * times;
    room -= times;
  }
  if (saved === 0) return { taken: [], saved };
  const taken = free.flatMap((before, line): TakenPieces[] => {
    const pieces = before - (left[line] ?? 0);
    return pieces > 0 ? [{ line, pieces, weight: (lines[line]?.own ?? 0) * pieces }] : [];
  });
  return { taken, saved };
}

/** Returns one set's pieces by line, with each group's dearest pieces first; null if there are too few. */
function fillSet(parts: ConcernedOffer['parts'], left: readonly number[]): Omit<TakenPieces, 'weight'>[] | null {
  const set: Omit<TakenPieces, 'weight'>[] = [];
  for (const { quantity, lines } of parts) {
    let wanted = quantity;
    for (const line of lines) {
      const free = left[line] ?? 0;
      if (free === 0) continue;
      const ofLine = set.find((one) => one.line === line);
      const pieces = Math.min(wanted, free - (ofLine?.pieces ?? 0));
      if (ofLine) ofLine.pieces += pieces;
      else set.push({ line, pieces });
      wanted -= pieces;
      if (wanted === 0) break;
    }
    if (wanted > 0) return null;
  }
  return set;
}
