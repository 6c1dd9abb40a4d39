import { type ReactNode, useEffect } from 'react';
import { guardPage, type PageAccess } from '#accounts/guard.ts';
import { isCutOff, reloadUser, useSession } from '#accounts/web/session.ts';
import { signOut } from '#accounts/web/sign-in-and-out.ts';
import { storePath } from '#accounts/web/stored-path.ts';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';
import { ApiError } from '#platform/web/api.ts';

let isLeaving = false;

/** Signing out leads home, and not to the sign-in that the guards would demand. */
export async function signOutAndLeave(): Promise<void> {
  isLeaving = true;
  await signOut();
  location.assign('/');
}

/** Shows a page to the people who may see it; the guards send everybody else elsewhere. */
export function Guarded({ access, children }: { access: PageAccess; children: ReactNode }) {
  const session = useSession();
  const decision = guardPage(access, session);
  const isWithoutAnswer = isCutOff(session);
  const to = decision.kind === 'go' && !isWithoutAnswer ? decision.to : null;
  const remember = decision.kind === 'go' && decision.remember;
  useEffect(() => {
    if (to === null || isLeaving) return;
    if (remember) storePath(location.pathname + location.search);
    location.replace(to);
  }, [to, remember]);
  useEffect(() => {
    if (!isWithoutAnswer) return undefined;
    const timer = setInterval(() => void reloadUser(), 5000);
    return () => clearInterval(timer);
  }, [isWithoutAnswer]);
  if (isWithoutAnswer)
    return <Trouble error={new ApiError(0, { code: 'offline' })} onRetry={() => void reloadUser()} />;
  return decision.kind === 'show' ? children : <Waiting />;
}
