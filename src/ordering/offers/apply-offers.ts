import { addToSum, apportionAmong, proportionalShare, sumAt, type Sums } from '#platform/money.ts';
import type { PublicOffer } from '#store/offer-shapes.ts';

export interface OfferLine {
  item_id: string;
  category_ids: readonly string[];
  /** Whether the dish has a minimum age; it is then never discounted. */
  isAged: boolean;
  /** The dish's own price, or that of its size, without choices that add to it. Minor units. */
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
  /** Each line's share of the discounts except those on delivery; at most the line's total. */
  shares: number[];
  saved: number;
}

/**
 * Chooses among offers whose conditions are met: those that combine, together, or one of the others alone, by the
 * lowest total; ties go to the combination, then to the older offer. Each piece takes part in at most one item offer.
 */
export function applyOffers(offers: readonly PublicOffer[], basket: OfferBasket): AppliedOffers {
  const concerned = offers
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((offer) => ({ offer, lines: linesOf(offer, basket.lines) }));
  let best = applyTogether(
    concerned.filter(({ offer }) => offer.combines),
    basket,
  );
  for (const one of concerned) {
    const alone = applyTogether([one], basket);
    if (alone.saved > best.saved) best = alone;
  }
  return best;
}

/** An offer with the indexes of the lines that it may discount, the dearest dishes first. */
interface ConcernedOffer {
  offer: PublicOffer;
  lines: readonly number[];
}

function linesOf(offer: PublicOffer, lines: readonly OfferLine[]): number[] {
  const listed = new Set([...(offer.item_ids ?? []), ...(offer.parts ?? []).flatMap(({ item_ids }) => item_ids)]);
  const isListed = ({ item_id, category_ids }: OfferLine) =>
    listed.has(item_id) || category_ids.some((id) => offer.category_ids?.includes(id));
  const isForAll = listed.size === 0 && offer.category_ids === null;
  return [...lines.keys()]
    .filter((at) => {
      const line = lines[at];
      return line && !line.isAged && (isForAll || isListed(line)) && !offer.excluded_item_ids?.includes(line.item_id);
    })
    .sort((a, b) => (lines[b]?.own ?? 0) - (lines[a]?.own ?? 0) || a - b);
}

function applyTogether(offers: readonly ConcernedOffer[], { lines, delivery }: OfferBasket): AppliedOffers {
  const free = lines.map(({ quantity }) => quantity);
  const shares = lines.map(() => 0);
  const cuts: AppliedOffers['cuts'] = [];
  const waiting = offers.filter(({ offer }) => offer.kind in itemOffers).map((one) => savingOf(one, lines, free));
  for (;;) {
    const most = Math.max(0, ...waiting.map(({ saved }) => saved));
    if (most === 0) break;
    const best = waiting.findIndex(({ saved }) => saved === most);
    const [chosen] = waiting.splice(best, 1);
    if (!chosen) break;
    const { of, taken } = chosen;
    for (const { line, pieces, off } of taken) {
      free[line] = (free[line] ?? 0) - pieces;
      shares[line] = (shares[line] ?? 0) + off;
    }
    cuts.push({ offer: of.offer, amount: most });
    const touched = new Set(taken.map(({ line }) => line));
    for (const [at, other] of waiting.entries())
      if (other.taken.some(({ line }) => touched.has(line))) waiting[at] = savingOf(other.of, lines, free);
  }
  cuts.push(...applyToSums(offers, lines, shares));
  const ofDelivery = offers.find(({ offer }) => offer.kind === 'free_delivery');
  if (ofDelivery && delivery > 0) cuts.push({ offer: ofDelivery.offer, amount: delivery });
  return { cuts, shares, saved: cuts.reduce((sum, { amount }) => sum + amount, 0) };
}

/** Takes offers on sums off the lines concerned; each is computed on the sum after the item offers. */
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
  /** The amount by which these pieces become cheaper. */
  off: number;
}

interface ItemSaving {
  of: ConcernedOffer;
  taken: TakenPieces[];
  saved: number;
}

type Take = (of: ConcernedOffer, lines: readonly OfferLine[], free: readonly number[]) => TakenPieces[];
const itemOffers: Partial<Record<PublicOffer['kind'], Take>> = {
  item_price: takeAtPrice,
  n_for_m: takeInSets,
  set_price: takeSet,
};

function savingOf(of: ConcernedOffer, lines: readonly OfferLine[], free: readonly number[]): ItemSaving {
  const taken = itemOffers[of.offer.kind]?.(of, lines, free) ?? [];
  return { of, taken, saved: taken.reduce((sum, { off }) => sum + off, 0) };
}

/** Discounts the pieces that cost more than the offer's price, the dearest first. */
function takeAtPrice(
  { offer, lines: concerned }: ConcernedOffer,
  lines: readonly OfferLine[],
  free: readonly number[],
) {
  let left = offer.max_pieces ?? Infinity;
  return concerned.flatMap((line): TakenPieces[] => {
    const off = (lines[line]?.own ?? 0) - (offer.value ?? 0);
    const pieces = Math.min(left, free[line] ?? 0);
    if (off <= 0 || pieces <= 0) return [];
    left -= pieces;
    return [{ line, pieces, off: off * pieces }];
  });
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
  return concerned.flatMap((line): TakenPieces[] => {
    const pieces = Math.min(free[line] ?? 0, sets * take - place);
    const gratis = freeBefore(place + pieces) - freeBefore(place);
    place += pieces;
    return pieces > 0 ? [{ line, pieces, off: (lines[line]?.own ?? 0) * gratis }] : [];
  });
}

/** Builds full sets of the dearest pieces for each part, as long as a set costs less than its pieces. */
function takeSet({ offer, lines: concerned }: ConcernedOffer, lines: readonly OfferLine[], free: readonly number[]) {
  const left = [...free];
  const value = offer.value ?? 0;
  const ofParts = (offer.parts ?? []).map(({ item_ids, quantity }) => {
    const ids = new Set(item_ids);
    return { quantity, lines: concerned.filter((line) => ids.has(lines[line]?.item_id ?? '')) };
  });
  const size = ofParts.reduce((sum, { quantity }) => sum + quantity, 0);
  const pieces: Sums<number> = new Map();
  let saved = 0;
  let room = Math.floor((offer.max_pieces ?? Infinity) / size);
  while (room > 0) {
    const set = fillSet(ofParts, left);
    if (!set) break;
    const worth = [...set].reduce((sum, [line, count]) => sum + (lines[line]?.own ?? 0) * count, 0);
    if (worth <= value) break;
    // The next sets have these lines too, until one of them is used up.
    const times = Math.min(room, ...[...set].map(([line, count]) => Math.floor((left[line] ?? 0) / count)));
    for (const [line, count] of set) {
      left[line] = (left[line] ?? 0) - count * times;
      addToSum(pieces, line, count * times);
    }
    saved += (worth - value) * times;
    room -= times;
  }
  const taken = [...pieces].sort(([a], [b]) => a - b);
  const shared = apportionAmong(saved, taken, ([line, count]) => (lines[line]?.own ?? 0) * count);
  return shared.map(({ one: [line, count], part }): TakenPieces => ({ line, pieces: count, off: part }));
}

/** One set's pieces by line, each part's dearest first; null if there are too few. */
function fillSet(
  parts: readonly { quantity: number; lines: readonly number[] }[],
  left: readonly number[],
): Sums<number> | null {
  const set: Sums<number> = new Map();
  for (const { quantity, lines } of parts) {
    let wanted = quantity;
    for (const line of lines) {
      const pieces = Math.min(wanted, (left[line] ?? 0) - sumAt(set, line));
      if (pieces > 0) addToSum(set, line, pieces);
      wanted -= Math.max(0, pieces);
      if (wanted === 0) break;
    }
    if (wanted > 0) return null;
  }
  return set;
}
