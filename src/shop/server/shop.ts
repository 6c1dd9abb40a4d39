import type { Menu } from '#menu/menu-shapes.ts';
import type { MenuIndex } from '#menu/menu-index.ts';
import type { PrebuiltBytes } from '#platform/http/answer.ts';
import { makeOnce } from '#platform/server/prebuild.ts';
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
  built: Map<string, Promise<PrebuiltBytes>>;
}

/** Builds an answer once for a version of a shop. */
export function keepBuilt(shop: Shop, name: string, make: () => Promise<PrebuiltBytes>): Promise<PrebuiltBytes> {
  return makeOnce(shop.built, name, make);
}
