import type { PathName } from '#platform/http/endpoint.ts';

/** A store's slug or name, which may stand for its id. */
export const storeName = {
  finder: 'store',
  description: 'Its id, its slug or its name.',
  example: 'coalfinch',
} as const satisfies PathName;
