import { applyOffers, type OfferBasket } from '#ordering/offers/apply-offers.ts';
import { anOffer } from '#ordering/testing/samples.ts';
import type { StoredOffer } from '#store/offer-shapes.ts';
import { randomFrom } from '#testing/hostile-values.ts';
import { percentile } from './figures.ts';
import { endWithGoals, tell } from './goals.ts';

/*
 * How long the engine needs to choose among 50 offers for 100 lines. Its reference, measured in turns with it, reads the
 * same basket and offers from JSON, as a server must before it can choose at all.
 */

const [lineCount, offerCount, rounds] = [100, 50, 300];
const goal = 5;

const random = randomFrom(56);
const upTo = (most: number) => Math.floor(random() * most);
const dishes = Array.from({ length: 60 }, (_, at) => `dish ${at}`);
const some = (count: number) => Array.from({ length: count }, () => dishes[upTo(dishes.length)] ?? '');

const basket: OfferBasket = {
  delivery: 250,
  lines: Array.from({ length: lineCount }, () => {
    const [own, quantity] = [200 + upTo(1500), 1 + upTo(4)];
    return { item_id: some(1)[0] ?? '', category_ids: ['food'], isAged: false, own, quantity, total: own * quantity };
  }),
};
const draws: Record<'percent' | 'item_price' | 'n_for_m' | 'set_price', () => Partial<StoredOffer>> = {
  percent: () => ({ value: 500 + upTo(2000), item_ids: some(20) }),
  item_price: () => ({ value: upTo(800), item_ids: some(20) }),
  n_for_m: () => ({ take: 3, pay: 2, item_ids: some(20) }),
  set_price: () => ({
    value: 1000 + upTo(500),
    parts: [1, 2, 1].map((quantity) => ({ item_ids: some(20), quantity })),
  }),
};
const kinds = ['percent', 'item_price', 'n_for_m', 'set_price'] as const;
const offersOf = (kindAt: (at: number) => (typeof kinds)[number]) =>
  Array.from({ length: offerCount }, (_, at) => {
    const kind = kindAt(at);
    return anOffer(kind, { id: `offer ${String(at).padStart(2, '0')}`, ...draws[kind]() });
  });

for (const kind of [...kinds, 'mixed'] as const) {
  const offers = offersOf((at) => (kind === 'mixed' ? (kinds[at % kinds.length] ?? 'percent') : kind));
  const sent = JSON.stringify({ offers, basket });
  const took: { ours: number[]; reference: number[] } = { ours: [], reference: [] };
  for (let round = 0; round < rounds; round += 1) {
    took.ours.push(timeOf(() => applyOffers(offers, basket)));
    took.reference.push(timeOf(() => JSON.parse(sent)));
  }
  const [ours, reference] = [percentile(took.ours, 50), percentile(took.reference, 50)];
  tell(
    `${offerCount} offers, ${kind}, on ${lineCount} lines: ${ours.toFixed(2)} ms, ${(ours / reference).toFixed(1)} times as long as reading them`,
    ours <= goal,
    `${goal} ms`,
  );
}
endWithGoals();

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
