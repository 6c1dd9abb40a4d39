import type { OfferBasket, OfferLine } from '#ordering/offers/apply-offers.ts';
import type { StoredOffer } from '#store/offer-shapes.ts';

/** One piece of a line, as the rules of offers speak of it. */
interface Piece {
  line: number;
  id: string;
  own: number;
}

/**
 * The lowest sum to pay by the rules of offers, piece by piece: written apart from `applyOffers`, slow, for tests that
 * compare the two.
 */
export function referenceSaving(offers: readonly StoredOffer[], basket: OfferBasket): number {
  const oldestFirst = [...offers].sort((a, b) => a.id.localeCompare(b.id));
  const ways = [oldestFirst.filter((offer) => offer.combines), ...oldestFirst.map((offer) => [offer])];
  return Math.max(...ways.map((way) => savingTogether(way, basket)));
}

function savingTogether(offers: readonly StoredOffer[], { lines, delivery }: OfferBasket): number {
  let pieces = lines.flatMap((line, at) =>
    Array.from({ length: line.quantity }, (): Piece => ({ line: at, id: line.item_id, own: line.own })),
  );
  pieces.sort((a, b) => b.own - a.own || a.line - b.line);
  const paid = lines.map(({ total }) => total);
  const whole = paid.reduce((sum, each) => sum + each, 0);
  let open = [...offers];
  for (;;) {
    const tries = open.map((offer) => ({ offer, taken: takenBy(offer, pieces, lines) }));
    const best = tries.reduce<(typeof tries)[number] | null>(
      (found, one) => (savedBy(one.taken) > savedBy(found?.taken ?? []) ? one : found),
      null,
    );
    if (!best) break;
    for (const { piece, off } of best.taken) paid[piece.line] = (paid[piece.line] ?? 0) - off;
    pieces = pieces.filter((piece) => !best.taken.some((one) => one.piece === piece));
    open = open.filter((offer) => offer !== best.offer);
  }
  const base = [...paid];
  for (const { kind, value, ...offer } of oldestFirstOnSums(offers)) {
    const concerned = lines.flatMap((line, at) => (concerns(offer, line) ? [at] : []));
    const sum = concerned.reduce((all, at) => all + (base[at] ?? 0), 0);
    let off = kind === 'percent' ? Math.floor((sum * (value ?? 0) + 5000) / 10_000) : (value ?? 0);
    off = Math.min(
      off,
      concerned.reduce((all, at) => all + (paid[at] ?? 0), 0),
    );
    spread(off, concerned, paid);
  }
  const saved = whole - paid.reduce((sum, each) => sum + each, 0);
  return saved + (offers.some(({ kind }) => kind === 'free_delivery') ? delivery : 0);
}

const oldestFirstOnSums = (offers: readonly StoredOffer[]) =>
  offers.filter(({ kind }) => kind === 'percent' || kind === 'amount');

/** Takes `amount` off by largest remainder: the whole pennies first, then one each to the largest remainders. */
function spread(amount: number, at: readonly number[], paid: number[]): void {
  const sum = at.reduce((all, line) => all + (paid[line] ?? 0), 0);
  if (sum === 0) return;
  const exact = at.map((line) => BigInt(amount) * BigInt(paid[line] ?? 0));
  const parts = exact.map((share) => Number(share / BigInt(sum)));
  const byRemainder = at.map((_, place) => place);
  byRemainder.sort((a, b) => Number((exact[b] ?? 0n) % BigInt(sum)) - Number((exact[a] ?? 0n) % BigInt(sum)) || a - b);
  const missing = amount - parts.reduce((all, part) => all + part, 0);
  for (const place of byRemainder.slice(0, missing)) parts[place] = (parts[place] ?? 0) + 1;
  for (const [place, line] of at.entries()) paid[line] = (paid[line] ?? 0) - (parts[place] ?? 0);
}

const savedBy = (taken: readonly { off: number }[]) => taken.reduce((sum, { off }) => sum + off, 0);

function concerns(
  { item_ids, category_ids, excluded_item_ids }: Pick<StoredOffer, 'item_ids' | 'category_ids' | 'excluded_item_ids'>,
  { item_id, category_ids: own, isAged }: OfferLine,
): boolean {
  if (isAged || excluded_item_ids?.includes(item_id)) return false;
  if (!item_ids && !category_ids) return true;
  return Boolean(item_ids?.includes(item_id) || category_ids?.some((id) => own.includes(id)));
}

function takenBy(offer: StoredOffer, pieces: readonly Piece[], lines: readonly OfferLine[]) {
  const most = offer.max_pieces ?? Infinity;
  const fit = pieces.filter((piece) => {
    const line = lines[piece.line];
    return line && (offer.kind === 'set_price' ? !line.isAged : concerns(offer, line));
  });
  if (offer.kind === 'item_price') {
    const value = offer.value ?? 0;
    const dearer = fit.filter(({ own }) => own > value).slice(0, most);
    return dearer.map((piece) => ({ piece, off: piece.own - value }));
  }
  if (offer.kind === 'n_for_m') return takenInSets(fit, offer.take ?? 0, offer.pay ?? 0, most);
  return offer.kind === 'set_price' ? takenAsSets(offer, fit, most) : [];
}

function takenInSets(pieces: readonly Piece[], take: number, pay: number, most: number) {
  const taken: { piece: Piece; off: number }[] = [];
  let free = 0;
  for (let from = 0; from + take <= pieces.length && free < most; from += take) {
    for (const [place, piece] of pieces.slice(from, from + take).entries()) {
      const isFree = place >= pay && free < most;
      if (isFree) free += 1;
      taken.push({ piece, off: isFree ? piece.own : 0 });
    }
  }
  return taken;
}

function takenAsSets(offer: StoredOffer, fit: readonly Piece[], most: number) {
  const taken: { piece: Piece; off: number }[] = [];
  let left = [...fit];
  for (;;) {
    const set: Piece[] = [];
    for (const { item_ids, quantity } of offer.parts ?? []) {
      const found = left.filter((piece) => item_ids.includes(piece.id) && !set.includes(piece)).slice(0, quantity);
      if (found.length < quantity) return shared(taken, fit.length);
      set.push(...found);
    }
    const worth = set.reduce((sum, { own }) => sum + own, 0);
    if (worth <= (offer.value ?? 0) || taken.length + set.length > most) return shared(taken, fit.length);
    left = left.filter((piece) => !set.includes(piece));
    // The whole saving stands at the set's first piece until the sets are shared out.
    for (const [place, piece] of set.entries())
      taken.push({ piece, off: place === 0 ? worth - (offer.value ?? 0) : 0 });
  }
}

/** Shares the sets' saving over their lines by what their pieces cost. */
function shared(taken: readonly { piece: Piece; off: number }[], lines: number) {
  const worth = Array.from({ length: Math.max(lines, ...taken.map(({ piece }) => piece.line + 1)) }, () => 0);
  for (const { piece } of taken) worth[piece.line] = (worth[piece.line] ?? 0) + piece.own;
  const after = [...worth];
  const at = [...new Set(taken.map(({ piece }) => piece.line))].sort((a, b) => a - b);
  spread(savedBy(taken), at, after);
  return taken.map(({ piece }, place) => {
    const isFirst = taken.findIndex((one) => one.piece.line === piece.line) === place;
    return { piece, off: isFirst ? (worth[piece.line] ?? 0) - (after[piece.line] ?? 0) : 0 };
  });
}
