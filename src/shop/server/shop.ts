import type { Menu } from '#menu/menu-shapes.ts';
import type { MenuIndex } from '#menu/menu-index.ts';
import type { PrebuiltBytes } from '#platform/http/answer.ts';
import type { StaffStore } from '#store/contract.ts';

/** A store as it is at one version. */
export interface KnownStore {
  store: StaffStore;
  isDemo: boolean;
  version: number;
}

/** A store and its public menu at one version: never half of a change. */
export interface Shop extends KnownStore {
  menus: Required<Menu>[];
  index: MenuIndex;
  /** Answers built from this version, by request; they are dropped with it. */
  built: Map<string, BuiltAnswer>;
}

export interface BuiltAnswer {
  bytes: Promise<PrebuiltBytes>;
  /** How to build the same answer from another version. */
  make: (shop: Shop) => Promise<PrebuiltBytes>;
}

/** Builds an answer once for a version of a shop, and again for the next version if it was requested. */
export function keepBuilt(shop: Shop, name: string, make: BuiltAnswer['make']): Promise<PrebuiltBytes> {
  const known = shop.built.get(name);
  if (known) return known.bytes;
  const bytes = make(shop);
  shop.built.set(name, { bytes, make });
  // If building fails, the next request tries again.
  bytes.catch(() => shop.built.delete(name));
  return bytes;
}
