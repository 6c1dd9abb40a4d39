import { useEffect } from 'react';
import { useOwnStores } from '#accounts/web/use-stores.ts';
import { KitchenWall, CollectionNumbersScreen } from '#kitchen/web/wall/wall-screens.tsx';
import { m } from '#messages';
import { StoresUpdater } from '#office/web/office-shell.tsx';
import { refetchStores } from '#store/web/stores.ts';
import { EmptyState, LoadingState, OfficeLoadFailure } from '#ui/web/office/states.tsx';

const screens = { kitchenWall: KitchenWall, readyNumbers: CollectionNumbersScreen };

/** The chosen store's wall screen, without controls. It retries a failed load by itself, because nobody is at a TV. */
export function WallPage({ shows }: { shows: keyof typeof screens }) {
  const { query, store } = useOwnStores();
  const hasFailed = query.isError && !query.data;
  useEffect(() => {
    if (!hasFailed) return undefined;
    const timer = setTimeout(() => void refetchStores(), 5000);
    return () => clearTimeout(timer);
  }, [hasFailed]);
  if (query.isPending) return <LoadingState />;
  if (hasFailed) return <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />;
  if (!store) return <EmptyState title={m.office_no_store()}>{m.office_no_store_hint()}</EmptyState>;
  const Screen = screens[shows];
  return (
    <>
      <StoresUpdater />
      <Screen key={store.id} store={store} />
    </>
  );
}
