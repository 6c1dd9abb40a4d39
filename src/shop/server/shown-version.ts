import { isChangedSoon, isRun, isStale, keepNewest, type KeptShop } from '#shop/server/kept-shop.ts';
import type { KeptShops } from '#shop/server/kept-shops.ts';
import { keepBuilt, type Shop } from '#shop/server/shop.ts';

/** Milliseconds between two shown versions during a run of changes. */
const showEvery = 500;

/** The version that readers get: the newest, or during a run of changes the last one that was ready to be sent. */
export interface ShownVersions {
  /** A page does not wait for the end of a run. */
  shop(storeId: string, isForPage: boolean): Promise<Shop | null>;
  onNext(prepare: (next: Shop) => Promise<void>): void;
  onShown(listener: (shop: Shop) => void): void;
  stop(): void;
}

export function showVersions(
  shops: KeptShops,
  load: (storeId: string) => Promise<Shop | null>,
  { onRenamed, onError }: { onRenamed: () => void; onError: (error: unknown) => void },
): ShownVersions {
  const preparations: ((next: Shop) => Promise<void>)[] = [];
  const shownListeners: ((shop: Shop) => void)[] = [];
  let isStopped = false;

  /** Prepares the next version while an older one is shown: the answers requested of that one, and what others prepare. */
  const showNext = async (storeId: string, kept: KeptShop) => {
    const next = isStale(kept) ? await load(storeId) : kept.newest;
    if (!next) return shops.drop(storeId, kept);
    for (const [name, { make }] of kept.shown?.built ?? []) void keepBuilt(next, name, make).catch(() => {});
    // Answers that could not be prepared are built at their request.
    await Promise.allSettled([...next.built.values()].map(({ bytes }) => bytes));
    await Promise.all(preparations.map((prepare) => prepare(next).catch(onError)));
    if (isStopped || shops.known(storeId) !== kept) return;
    keepNewest(kept, next);
    kept.shown = next;
    onRenamed();
    if (!kept.wasOlderSeen) return;
    kept.wasOlderSeen = false;
    for (const tell of shownListeners) tell(next);
  };
  const planNext = (storeId: string, kept: KeptShop) => {
    if (kept.next || kept.isNextRunning || isStopped) return;
    kept.next = setTimeout(() => {
      kept.next = undefined;
      if (!isStale(kept) && kept.shown === kept.newest) return;
      kept.isNextRunning = true;
      void showNext(storeId, kept)
        .catch(onError)
        .finally(() => (kept.isNextRunning = false));
    }, showEvery);
  };

  return {
    async shop(storeId, isForPage) {
      const kept = shops.of(storeId);
      if (kept.shown && (isStale(kept) || kept.shown !== kept.newest) && isRun(kept)) {
        planNext(storeId, kept);
        // The author of a run's last change sees it: the call waits until no other change follows. A page does not wait.
        if (isForPage || (await isChangedSoon(kept))) {
          kept.wasOlderSeen = true;
          return kept.shown;
        }
      }
      const found = await shops.newest(storeId);
      if (!isRun(kept)) kept.shown = found;
      return found;
    },
    onNext: (prepare) => void preparations.push(prepare),
    onShown: (listener) => void shownListeners.push(listener),
    stop() {
      isStopped = true;
    },
  };
}
