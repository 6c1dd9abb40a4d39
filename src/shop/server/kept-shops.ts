import { hearOf, isRun, isStale, keepNewest, keepNothingYet, type KeptShop } from '#shop/server/kept-shop.ts';
import type { Shop } from '#shop/server/shop.ts';

/** The newest version of every requested shop, read once for all callers that wait for it. */
export interface KeptShops {
  known(storeId: string): KeptShop | undefined;
  /** The same, begun where there is none. */
  of(storeId: string): KeptShop;
  newest(storeId: string): Promise<Shop | null>;
  /** Removes versions older than `version`, or all of the shop. False if that changed nothing. */
  forget(storeId: string, version?: number): boolean;
  /** Drops this, unless it was dropped already. */
  drop(storeId: string, kept: KeptShop): void;
  clear(): void;
}

/** `onRenamed` is called when a name may belong to another shop now, or to none. */
export function keepShops(load: (storeId: string) => Promise<Shop | null>, onRenamed: () => void): KeptShops {
  const all = new Map<string, KeptShop>();

  const drop = (storeId: string, kept: KeptShop) => {
    clearTimeout(kept.next);
    if (all.get(storeId) === kept) all.delete(storeId);
    onRenamed();
  };
  const of = (storeId: string): KeptShop => {
    const known = all.get(storeId);
    if (known) return known;
    const kept = keepNothingYet();
    all.set(storeId, kept);
    return kept;
  };
  const read = (storeId: string, kept: KeptShop): Promise<Shop | null> => {
    if (kept.loading) return kept.loading;
    const loading = load(storeId);
    kept.loading = loading;
    const end = () => {
      if (kept.loading === loading) kept.loading = null;
    };
    loading.then((loaded) => {
      end();
      if (loaded) keepNewest(kept, loaded);
      else drop(storeId, kept);
    }, end);
    return loading;
  };

  return {
    known: (storeId) => all.get(storeId),
    of,
    async newest(storeId) {
      const kept = of(storeId);
      return isStale(kept) ? read(storeId, kept) : kept.newest;
    },
    forget(storeId, version) {
      const kept = all.get(storeId);
      if (kept && version !== undefined) {
        if (!hearOf(kept, version)) return false;
        if (!isRun(kept)) onRenamed();
      } else if (kept) drop(storeId, kept);
      else onRenamed();
      return true;
    },
    drop,
    clear() {
      for (const { next } of all.values()) clearTimeout(next);
      all.clear();
      onRenamed();
    },
  };
}
