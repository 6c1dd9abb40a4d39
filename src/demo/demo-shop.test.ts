import { describe, expect, it } from 'vitest';
import { allergenCodes, weekdays } from '#database/page-values.ts';
import { type AllergenCode, Allergens } from '#menu/menu-shapes.ts';
import { demoShop } from '#demo/demo-shop.ts';
import type { DemoItem, DemoOption, DemoOptionGroup } from '#demo/demo-parts.ts';
import { cellsBelowHeading, readDishFile } from '#demo/dish-file.ts';
import { readDishes } from '#demo/dishes.ts';
import { readTable } from '#menu/import/table.ts';
import { demoPictureSvg } from '#demo/server/pictures.ts';
import { findZone } from '#store/delivery-zones.ts';
import { normalisePrefix } from '#store/postcodes.ts';
import { StoreFields } from '#store/contract.ts';

const { store, categories, items, option_groups: groups, options } = demoShop;
const optionByKey = new Map(options.map((option) => [option.key, option]));
const groupByKey = new Map(groups.map((group) => [group.key, group]));

const fromAnimals = ['milk', 'eggs', 'fish', 'crustaceans', 'molluscs'] as const;
const fromTheSea = ['fish', 'crustaceans', 'molluscs'] as const;

describe('the file of the dishes', () => {
  const cells = readDishFile();
  const table = readTable([{ name: '', cells }]);

  it('has a dish of our own import in each row, and no heading that it lacks but the pictures’', () => {
    expect(table.unknown).toEqual(['Picture']);
    expect(table.rows.map(({ kind }) => kind)).toEqual(cells.slice(1).map(() => 'item'));
    expect(items.map(({ name }) => name)).toEqual(cellsBelowHeading(cells, 'Name'));
  });

  it('is refused in the words of the import when a row is wrong', () => {
    const wrong = (from: string, to: string) => cells.map((line) => line.map((cell) => cell.replace(from, to)));
    expect(() => readDishes(wrong('12.95', 'dear'))).toThrow('dishes.csv, row 2: ');
    expect(() => readDishes(wrong('Two curries', 'Three curries'))).toThrow('Three curries');
  });
});

describe('the menu', () => {
  it('has 110 to 130 items in 9 to 12 categories', () => {
    expect(items.length).toBeGreaterThanOrEqual(110);
    expect(items.length).toBeLessThanOrEqual(130);
    expect(categories.length).toBeGreaterThanOrEqual(9);
    expect(categories.length).toBeLessThanOrEqual(12);
  });

  it.each([
    ['category', categories],
    ['item', items],
    ['option group', groups],
    ['option', options],
  ])('gives every %s a key of its own', (_kind, things) => {
    expect(new Set(things.map(({ key }) => key)).size).toBe(things.length);
  });

  it('names only parts that it has, and has no part that is never named', () => {
    expect(categories.flatMap((category) => category.items).toSorted()).toEqual(items.map(({ key }) => key).toSorted());
    expect(keysOf(items.flatMap((item) => item.option_groups.map((link) => link.option_group)))).toEqual(
      keysOf([...groupByKey.keys()]),
    );
    expect(keysOf(groups.flatMap((group) => group.options.map((link) => link.option)))).toEqual(
      keysOf([...optionByKey.keys()]),
    );
  });

  it('has a picture for every item', () => {
    expect(keysIn(items.filter(({ picture }) => demoPictureSvg(picture) === null))).toEqual([]);
  });

  it('has no two items with the same picture', () => {
    expect(new Set(items.map(({ picture }) => picture)).size).toBe(items.length);
  });

  it('has a few sold-out items, and a few whose allergens are not stated', () => {
    const soldOut = items.filter((item) => !item.is_available);
    expect(soldOut.length).toBeGreaterThanOrEqual(4);
    expect(soldOut.length).toBeLessThanOrEqual(6);
    expect(items.filter((item) => item.allergens === null).length).toBeGreaterThanOrEqual(2);
  });

  it('shares option groups between items', () => {
    expect(['size-pizza', 'bun', 'protein', 'sauces-two-free', 'extra-dips'].filter((key) => uses(key) < 5)).toEqual(
      [],
    );
  });
});

describe('an item', () => {
  it('has the price and the name that a takeaway would give it', () => {
    const odd = items.filter(
      (item) =>
        item.price < 100 ||
        item.price > 6000 ||
        ![0, 2000].includes(item.vat_rate) ||
        ![0, 1, 2, 3].includes(item.spice_level) ||
        item.kitchen_name.length > 22 ||
        !/^[A-Z0-9].*\.$/.test(item.description),
    );
    expect(keysIn(odd)).toEqual([]);
  });

  it('names allergens of the closed list, each once, and so do options', () => {
    const odd = [...items, ...options].filter(({ allergens }) => {
      const named = [...(allergens?.contains ?? []), ...(allergens?.may_contain ?? [])];
      return !Allergens.safeParse(allergens).success || new Set(named).size !== named.length;
    });
    expect(keysIn(odd)).toEqual([]);
  });

  it('states no fewer allergens where a deal has it as a choice', () => {
    const severity = ({ allergens }: Pick<DemoItem, 'allergens'>, code: AllergenCode): number =>
      allergens?.contains.includes(code) ? 2 : allergens?.may_contain.includes(code) ? 1 : 0;
    const isLess = (option: DemoOption, item: DemoItem): boolean =>
      option.allergens !== null &&
      (item.allergens === null || allergenCodes.some((code) => severity(option, code) < severity(item, code)));
    const contradictions = options.filter((option) => {
      const name = option.name.replace(/,.*| instead$/, '');
      const dishes = items.filter((item) => item.name === name);
      // A starter and a pizza can have one name.
      return dishes.length > 0 && dishes.every((item) => isLess(option, item));
    });
    expect(keysIn(contradictions)).toEqual([]);
  });

  it('has no diet that its allergens contradict', () => {
    expect(items.flatMap(falseClaims)).toEqual([]);
  });

  it('shows a group only for an option of an earlier group', () => {
    const unreachable = items.flatMap((item) =>
      item.option_groups.filter(({ shown_when_option_id: trigger }, place) => {
        const before = item.option_groups.slice(0, place).flatMap((link) => groupOf(link.option_group).options);
        return trigger !== null && !before.some((link) => link.option === trigger);
      }),
    );
    expect(unreachable).toEqual([]);
  });
});

describe('an option group', () => {
  it('has limits that fit each other and its options', () => {
    const odd = groups.filter(
      ({ min_select: min, max_select: max, free_select: free, max_per_option: each, options: links }) =>
        min < 0 || max < Math.max(min, 1) || free > max || each < 1 || each > max || links.length * each < max,
    );
    expect(keysIn(odd)).toEqual([]);
  });

  it('has enough options that are not sold out', () => {
    const stuck = groups.filter(
      (group) =>
        group.options.filter((link) => optionOf(link.option).is_available).length * group.max_per_option <
        group.min_select,
    );
    expect(keysIn(stuck)).toEqual([]);
  });

  it('starts with no more options than it allows', () => {
    const full = groups.filter(
      (group) => group.options.filter((link) => optionOf(link.option).is_default).length > group.max_select,
    );
    expect(keysIn(full)).toEqual([]);
  });

  it('offers each option once, at a plausible price', () => {
    const odd = groups.filter((group) => {
      const prices = group.options.map((link) => link.price ?? optionOf(link.option).price);
      return (
        new Set(group.options.map((link) => link.option)).size !== group.options.length ||
        prices.some((price) => price < 0 || price > 1000)
      );
    });
    expect(keysIn(odd)).toEqual([]);
  });

  it('exists in every kind that a shop needs', () => {
    expect(groups.some((group) => group.min_select === 1 && group.max_select === 1)).toBe(true);
    expect(groups.some((group) => group.max_select === 3 && group.max_per_option === 1)).toBe(true);
    expect(groups.some((group) => group.free_select === 2)).toBe(true);
    expect(groups.some((group) => group.max_per_option === 3)).toBe(true);
    expect(
      groups.some((group) =>
        group.options.some((link) => link.price !== null && link.price !== optionOf(link.option).price),
      ),
    ).toBe(true);
    expect(items.some((item) => item.option_groups.some((link) => link.shown_when_option_id !== null))).toBe(true);
  });
});

describe('the store', () => {
  it('is a valid store by the contract', () => {
    expect(
      StoreFields.omit({
        logo: true,
        accent_color: true,
        cover: true,
        company_number: true,
        allergens_text: true,
        special_hours: true,
      }).parse(store),
    ).toEqual(store);
  });

  it('opens twice every day, and past midnight at the weekend', () => {
    for (const day of weekdays) expect(store.operational_hours.filter((entry) => entry.day === day)).toHaveLength(2);
    expect(store.operational_hours.some((entry) => entry.close < entry.open)).toBe(true);
  });

  it('has its postcode prefixes in their normal form', () => {
    for (const prefix of store.delivery_zones.flatMap((zone) => zone.postcode_prefixes))
      expect(normalisePrefix(prefix)).toBe(prefix);
  });

  it('delivers to its own street from its nearest zone', () => {
    expect(findZone(store.delivery_zones, store.address.postcode)?.name).toBe('Town centre');
  });

  it('has a telephone number and mail address that belong to nobody', () => {
    expect(store.phone).toMatch(/^01632 960\d{3}$/);
    expect(store.email).toMatch(/@(\w+\.)*example\.com$/);
  });
});

function keysOf(keys: readonly string[]): string[] {
  return [...new Set(keys)].toSorted();
}

function keysIn(things: readonly { key: string }[]): string[] {
  return things.map(({ key }) => key);
}

function uses(key: string): number {
  return items.filter((item) => item.option_groups.some((link) => link.option_group === key)).length;
}

function groupOf(key: string): DemoOptionGroup {
  const group = groupByKey.get(key);
  if (group === undefined) throw new Error(`No option group ${key}`);
  return group;
}

function optionOf(key: string): DemoOption {
  const option = optionByKey.get(key);
  if (option === undefined) throw new Error(`No option ${key}`);
  return option;
}

function falseClaims(item: DemoItem): string[] {
  const always = alwaysContains(item);
  const holdsAny = (codes: readonly AllergenCode[]) => codes.some((code) => always.includes(code));
  const isFalse = {
    vegan: holdsAny(fromAnimals) || !item.dietary.includes('vegetarian'),
    vegetarian: holdsAny(fromTheSea) || item.dietary.includes('halal'),
    halal: false,
    gluten_free: always.includes('gluten') || (item.allergens?.may_contain.includes('gluten') ?? true),
  };
  return item.dietary.filter((diet) => isFalse[diet]).map((diet) => `${item.key}: ${diet}`);
}

/** The item's own allergens, and those that every available choice of a required group has. */
function alwaysContains(item: DemoItem): AllergenCode[] {
  const brought = item.option_groups.flatMap(({ option_group: key }) => {
    const group = groupOf(key);
    const choices = group.options.map((link) => optionOf(link.option)).filter((option) => option.is_available);
    if (group.min_select === 0) return [];
    return allergenCodes.filter((code) => choices.every((option) => option.allergens?.contains.includes(code)));
  });
  return [...(item.allergens?.contains ?? []), ...brought];
}
