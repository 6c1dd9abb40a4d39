import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { NewBasketLine } from '#ordering/web/basket/basket-store.ts';

type BasketStore = typeof import('#ordering/web/basket/basket-store.ts') &
  typeof import('#ordering/web/basket/basket-edits.ts');

const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});

/** Another tab, or the same one after a reload: the module again, the storage as it is. */
async function openTab(): Promise<BasketStore> {
  vi.resetModules();
  return {
    ...(await import('#ordering/web/basket/basket-store.ts')),
    ...(await import('#ordering/web/basket/basket-edits.ts')),
  };
}

const pizza: NewBasketLine = {
  item_id: 'pizza',
  name: 'Margherita',
  quantity: 1,
  note: '',
  seen_price: 895,
  options: [
    { option_group_id: 'size', option_id: 'small', quantity: 1 },
    { option_group_id: 'base', option_id: 'thin', quantity: 1 },
  ],
};

beforeEach(() => stored.clear());

describe('the basket', () => {
  test('counts the same choice up, whatever the order of choosing, and keeps another apart', async () => {
    const tab = await openTab();
    tab.addBasketLine('shop', pizza);
    tab.addBasketLine('shop', { ...pizza, quantity: 2, options: pizza.options.toReversed() });
    tab.addBasketLine('shop', { ...pizza, note: 'well done' });
    expect(tab.readBasket().lines.map(({ quantity, note }) => [quantity, note])).toEqual([
      [3, ''],
      [1, 'well done'],
    ]);
  });

  test('survives a reload, with its session', async () => {
    const before = await openTab();
    before.addBasketLine('shop', pizza);
    const { session } = before.readBasket();
    const after = await openTab();
    expect(after.readBasket()).toEqual(before.readBasket());
    expect(session).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('of two tabs is one basket', async () => {
    const first = await openTab();
    const second = await openTab();
    first.addBasketLine('shop', pizza);
    second.addBasketLine('shop', { ...pizza, item_id: 'chips' });
    expect(second.readBasket().lines.map(({ item_id: id }) => id)).toEqual(['pizza', 'chips']);
  });

  test('keeps its session until the order with it was answered, and then has a new one', async () => {
    const tab = await openTab();
    tab.addBasketLine('shop', pizza);
    const { session } = tab.readBasket();
    tab.setBasketFulfilment({ postcode: 'CV21 2AA' });
    expect(tab.readBasket().session).toBe(session);
    tab.renewBasket('00000000-0000-4000-8000-000000000000');
    expect(tab.readBasket().lines).toHaveLength(1);
    tab.renewBasket(session);
    expect(tab.readBasket()).toMatchObject({ lines: [], postcode: 'CV21 2AA' });
    expect(tab.readBasket().session).not.toBe(session);
  });

  test('of another shop does not mix with this one', async () => {
    const tab = await openTab();
    tab.addBasketLine('shop', pizza);
    tab.addBasketLine('other', { ...pizza, item_id: 'soup' });
    expect(tab.readBasket().lines.map(({ item_id: id }) => id)).toEqual(['soup']);
  });

  test('below one takes the line out, and undoing puts it back', async () => {
    const tab = await openTab();
    tab.addBasketLine('shop', pizza);
    const [line] = tab.readBasket().lines;
    if (!line) throw new Error('Nothing was added.');
    tab.setBasketLineQuantity(line.key, 0);
    expect(tab.readBasket().lines).toEqual([]);
    tab.restoreBasketLine(line, 0, tab.readBasket().session);
    expect(tab.readBasket().lines).toEqual([line]);
  });

  test('undoing puts back what was taken out, and leaves all else as it is by then', async () => {
    const [tab, other] = [await openTab(), await openTab()];
    for (const note of ['first', 'second', 'third']) tab.addBasketLine('shop', { ...pizza, note });
    const { lines, session } = tab.readBasket();
    const [first, second, third] = lines;
    if (!first || !second || !third) throw new Error('Three lines were added.');
    tab.setBasketLineQuantity(first.key, 0);
    tab.setBasketLineQuantity(second.key, 0);
    tab.setBasketLineQuantity(third.key, 4);
    other.addBasketLine('shop', { ...pizza, note: 'of another tab' });
    tab.restoreBasketLine(first, 0, session);
    tab.restoreBasketLine(second, 1, session);
    const notes = () => tab.readBasket().lines.map(({ note, quantity }) => [note, quantity]);
    expect(notes()).toEqual([
      ['first', 1],
      ['second', 1],
      ['third', 4],
      ['of another tab', 1],
    ]);
    // Ordered meanwhile: it is another basket.
    tab.setBasketLineQuantity(first.key, 0);
    other.renewBasket(session);
    tab.restoreBasketLine(first, 0, session);
    expect(notes()).toEqual([]);
  });

  test('that cannot be read begins again', async () => {
    stored.set('basket', '{"lines":');
    const tab = await openTab();
    expect(tab.readBasket().lines).toEqual([]);
    stored.set('basket', '{"session":"x","lines":"soup"}');
    expect((await openTab()).readBasket().lines).toEqual([]);
  });
});
