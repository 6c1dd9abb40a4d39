import { useSyncExternalStore } from 'react';
import { personalStorageKeys } from '#accounts/web/personal-storage.ts';
import { createExternalStore } from '#platform/web/external-store.ts';
import { createWindowSubscriber } from '#platform/web/window-events.ts';

const storageKey = personalStorageKeys.favouriteDishes;
const most = 12;
const none: readonly string[] = [];
const favourites = createExternalStore(load, createWindowSubscriber('storage', onStorage));

/** The ids of this browser's favourite dishes, newest first. */
export function useFavouriteDishes(): readonly string[] {
  return useSyncExternalStore(favourites.subscribe, favourites.read, () => none);
}

/** Adds or removes a favourite. The stored list is read first, so that two open tabs have one list. */
export function toggleFavouriteDish(id: string): void {
  const before = load();
  const after = before.includes(id) ? before.filter((other) => other !== id) : [id, ...before].slice(0, most);
  try {
    localStorage.setItem(storageKey, JSON.stringify(after));
  } catch {
    // Without storage the favourites last as long as the page.
  }
  favourites.set(after);
}

function load(): readonly string[] {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(held) ? (held as string[]) : none;
  } catch {
    return none;
  }
}

function onStorage({ key }: StorageEvent): void {
  if (key === storageKey || key === null) favourites.set(load());
}
