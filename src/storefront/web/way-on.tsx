import type { ComponentType } from 'react';
import { landingPath } from '#accounts/guard.ts';
import { takeStoredPath } from '#accounts/web/stored-path.ts';
import { WayOn } from '#accounts/web/way-on.ts';
import { findPage, isOfficePath } from '#pages.ts';
import type { Role } from '#platform/http/viewer.ts';
import { navigate } from '#platform/web/navigation.tsx';

/** Gives a page the way on from signing in: the stored path, or where the role begins. */
export function withWayOn(Page: ComponentType): ComponentType {
  return function WithWayOn() {
    return (
      <WayOn value={goOn}>
        <Page />
      </WayOn>
    );
  };
}

function goOn(role: Role): void {
  const pathOf = (path: string): string => new URL(path, location.origin).pathname;
  const path = landingPath(role, takeStoredPath(), (stored) => findPage(pathOf(stored))?.row.access ?? 'everyone');
  if (isOfficePath(pathOf(path))) location.replace(path);
  else navigate(path, { replace: true });
}
