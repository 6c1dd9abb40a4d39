import { api } from '#platform/web/api.ts';
import { storeLoadFailedText } from '#store/web/store-load-failed.ts';
import type { PublicShop } from '#shop/public-shop.ts';
import { whileShopResponds } from '#ui/web/lazy-part.ts';

const attempts = 3;
const retryAfter = 1000;
/** The timeout of the store's answer, which is small (ms). Some connections without an answer never end. */
const timeout = 10_000;

/** Fetches the shop in up to three attempts; the third failure is logged and thrown. */
export async function fetchShopWithRetries(
  wanted: string | null,
  known: PublicShop | null,
  fetchOne: typeof fetchShop = fetchShop,
): Promise<PublicShop> {
  for (let left = attempts; ; left -= 1) {
    try {
      return await fetchOne(wanted, known);
    } catch (error) {
      if (left === 1) {
        // oxlint-disable-next-line no-console -- the specification fixes this text
        console.error(storeLoadFailedText);
        throw error;
      }
      await new Promise((resolve) => void setTimeout(resolve, retryAfter));
    }
  }
}

/** Fetches the store by id, slug or name, or the first store. Fetches its menus unless `known` has the same version. */
async function fetchShop(wanted: string | null, known: PublicShop | null): Promise<PublicShop> {
  const store = wanted
    ? (await api('GET /v1/stores/{id}', { id: wanted }, { timeout })).data
    : (await api('GET /v1/stores', { per_page: 1 }, { timeout })).data[0];
  if (!store) throw new Error('There is no shop yet.');
  if (known?.store.id === store.id && known.store.version === store.version) return { ...known, store };
  // All menus are fetched, including menus that are not served now, because orders may be for later.
  const { data: all } = await whileShopResponds(
    api('GET /v1/menus', { include: 'categories.items.option_groups.options', per_page: 200 }),
  );
  // Staff get hidden menus in the answer, but the shop's pages show the customers' view.
  const menus = all
    .filter((menu) => menu.store_id === store.id && menu.is_active)
    .map((menu) => ({
      ...menu,
      categories: menu.categories
        ?.filter((category) => category.is_active)
        .map((category) => ({ ...category, items: category.items?.filter((item) => item.is_active) })),
    }));
  return { store, menus };
}
