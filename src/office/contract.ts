import { z } from 'zod';
import { stepNames, stepStates } from '#office/onboarding.ts';
import { One } from '#platform/http/shapes.ts';
import { storeName } from '#store/contract.ts';

/** A new shop's needs before it opens. */
export const Onboarding = z.object({
  /** Whether the owner sees it: until they dismiss it. */
  is_shown: z.boolean(),
  steps: z.array(z.object({ name: z.enum(stepNames), state: z.enum(stepStates) })),
});
export type Onboarding = z.infer<typeof Onboarding>;

export const Versions = z.object({
  hatch: z.string(),
  /** Its last migration. */
  data: z.string().nullable(),
  postgres: z.string(),
  is_postgres_tested: z.boolean(),
});

export const office = {
  'GET /v1/versions': {
    access: 'admin',
    summary:
      'The versions of Hatch, of its data (the last migration) and of PostgreSQL, and whether the shop is tested on that one.',
    response: One(Versions),
  },
  'GET /v1/stores/{id}/first-evening': {
    idOrName: storeName,
    access: 'admin',
    summary: 'What a new shop needs before it opens. `check`: only the owner can tell whether it is right.',
    response: One(Onboarding),
  },
  'POST /v1/stores/{id}/first-evening': {
    idOrName: storeName,
    access: 'admin',
    summary: 'Show that list in the office, or put it away.',
    body: Onboarding.pick({ is_shown: true }),
    response: null,
  },
} as const;
