import { type ComponentType, useState } from 'react';
import { pathAfterSignIn } from '#accounts/guard.ts';
import {
  AfterSignInContext,
  SignInLeadsToOfficeContext,
  readSignInReturnPath,
  consumeSignInReturnPath,
} from '#accounts/web/sign-in-return-path.ts';
import { findPage, isOfficePath } from '#pages.ts';
import type { Role } from '#platform/http/viewer.ts';
import { navigate } from '#platform/web/navigation.tsx';

/** Wraps a sign-in page, so that the page leads to the stored path, or to the role's first page, after a sign-in. */
export function withRedirectAfterSignIn(Page: ComponentType): ComponentType {
  return function WithAfterSignIn() {
    const [isOfficeNext] = useState(() => isOfficePath(pathOf(readSignInReturnPath() ?? '/')));
    return (
      <SignInLeadsToOfficeContext value={isOfficeNext}>
        <AfterSignInContext value={goOn}>
          <Page />
        </AfterSignInContext>
      </SignInLeadsToOfficeContext>
    );
  };
}

function goOn(role: Role): void {
  const path = pathAfterSignIn(
    role,
    consumeSignInReturnPath(),
    (stored) => findPage(pathOf(stored))?.row.access ?? 'everyone',
  );
  if (isOfficePath(pathOf(path))) location.replace(path);
  else navigate(path, { replace: true });
}

function pathOf(path: string): string {
  return new URL(path, location.origin).pathname;
}
