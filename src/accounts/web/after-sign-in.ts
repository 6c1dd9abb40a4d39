import { createContext } from 'react';
import type { Role } from '#platform/http/viewer.ts';

/** Leads a person on after signing in, here or in another tab; provided by the shell, which knows every page. */
export const AfterSignIn = createContext<(role: Role) => void>(() => {
  throw new Error('No front end has said where a sign-in leads.');
});

/** Whether the sign-in leads to a page of the staff; provided likewise. */
export const LeadsToOffice = createContext(false);
