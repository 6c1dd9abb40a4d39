import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { Store } from '#store/contract.ts';

// Its code comes when somebody first asks for it.
const code = () => import('#office/web/go-to-dialog.tsx');
const GoToDialog = lazy(async () => ({ default: (await code()).GoToDialog }));

interface GoToProps {
  /** Whether it was asked for on this page. */
  isAsked: boolean;
  onAsk: () => void;
  stores: readonly Store[];
  choose: (id: string) => void;
}

/** Opens any page or shop by a few letters of its name: Ctrl+K, from within a field as well. */
export function GoTo({ isAsked, onAsk, stores, choose }: GoToProps) {
  useHotkeys([['mod+K', onAsk]], []);
  if (!isAsked) return null;
  return (
    <Suspense fallback={null}>
      <GoToDialog stores={stores} choose={choose} />
    </Suspense>
  );
}

/** Opens it wherever it stands. A page that cannot have its code says so itself. */
export function openGoTo(): void {
  code().then(
    ({ open }) => open(),
    () => undefined,
  );
}
