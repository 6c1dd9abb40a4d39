import { useQuery } from '@tanstack/react-query';
import { FactorsAsked } from '#accounts/web/factors/factors-asked.tsx';
import { useSession } from '#accounts/web/session.ts';
import { firstEveningQuery } from '#office/web/first-evening-query.ts';
import type { Store } from '#store/contract.ts';

/** Asks an owner for a second factor, once the list of the first evening asks for it no longer. */
export function OwnerAsked({ store }: { store: Store }) {
  const isOwner = useSession().role === 'admin';
  const { data, isPending } = useQuery({ ...firstEveningQuery(store.id), enabled: isOwner, staleTime: 60_000 });
  return !isOwner || isPending || data?.is_shown ? null : <FactorsAsked />;
}
