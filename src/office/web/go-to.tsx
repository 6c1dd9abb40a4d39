import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { Store } from '#store/contract.ts';

// The code loads when somebody first opens the dialog.
const code = () => import('#office/web/go-to-dialog.tsx');
const GoToDialog = lazy(async () => ({ default: (await code()).GoToDialog }));

interface GoToProps {
  /** Whether the dialog was opened on this page before. */
  isAsked: boolean;
  onAsk: () => void;
  stores: readonly Store[];
  choose: (id: string) => void;
}

/** Opens any page or shop by a few letters of its name: Ctrl+K, also while a field has the focus. */
export function GoTo({ isAsked, onAsk, stores, choose }: GoToProps) {
  useHotkeys([['mod+K', onAsk]], []);
  if (!isAsked) return null;
  return (
    <Suspense fallback={null}>
      <GoToDialog stores={stores} choose={choose} />
    </Suspense>
  );
}

/** Opens the dialog if it is on the page. If its code cannot load, the page itself shows that. */
export function openGoTo(): void {
  code().then(
    ({ open }) => open(),
    () => undefined,
  );
}
