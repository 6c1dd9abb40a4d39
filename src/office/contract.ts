import { z } from 'zod';
import { onboardingStepNames, onboardingStepStates } from '#office/onboarding.ts';
import { SingleAnswer } from '#platform/http/shapes.ts';
import { storePathName } from '#store/contract.ts';

/** The steps that a new shop needs before it opens, and whether the owner sees the list of them. */
export const Onboarding = z.object({
  /** Whether the owner sees the list; false after they have dismissed it. */
  is_shown: z.boolean(),
  steps: z.array(z.object({ name: z.enum(onboardingStepNames), state: z.enum(onboardingStepStates) })),
});
export type Onboarding = z.infer<typeof Onboarding>;

export const Versions = z.object({
  hatch: z.string(),
  /** The last migration of the data; null if there is none. */
  data: z.string().nullable(),
  postgres: z.string(),
  is_postgres_tested: z.boolean(),
});

export const officeEndpoints = {
  'GET /v1/versions': {
    access: 'admin',
    summary:
      'The versions of Hatch, of its data (the last migration) and of PostgreSQL, and whether the shop is tested on that one.',
    response: SingleAnswer(Versions),
  },
  'GET /v1/stores/{id}/first-evening': {
    idOrName: storePathName,
    access: 'admin',
    summary: 'What a new shop needs before it opens. `check`: only the owner can tell whether it is right.',
    response: SingleAnswer(Onboarding),
  },
  'POST /v1/stores/{id}/first-evening': {
    idOrName: storePathName,
    access: 'admin',
    summary: 'Show that list in the office, or put it away.',
    body: Onboarding.pick({ is_shown: true }),
    response: null,
  },
} as const;
