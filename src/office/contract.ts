import { z } from 'zod';
import { onboardingStepNames, onboardingStepStates } from '#office/onboarding.ts';
import { SingleAnswer } from '#platform/http/shapes.ts';
import { locationFields, storePathName } from '#store/contract.ts';

/** The guided set-up of a shop. The server stores its state, so that owners can continue on any device. */
export const Onboarding = z.object({
  /** Whether the office shows its reminder of the set-up: a step is left, and the owner has not hidden the reminder. */
  is_shown: z.boolean(),
  steps: z.array(z.object({ name: z.enum(onboardingStepNames), state: z.enum(onboardingStepStates) })),
  /** The location of the shop's postcode, as a proposal for the pin; null: the postcode is unknown. */
  proposed_location: locationFields.location.nullable(),
  /** The postcode areas around the pin with their centres. They help to place the pin on a map without streets. */
  nearby: z.array(z.object({ name: z.string(), location: locationFields.location })),
  /** The addresses at which other devices reach this machine, without scheme and port; public ones come first. */
  local_addresses: z.array(z.string()),
  sends_mail: z.boolean(),
  /** Whether a customer has ordered; test orders do not count. */
  has_customer_order: z.boolean(),
  has_second_factor: z.boolean(),
});
export type Onboarding = z.infer<typeof Onboarding>;

export const Versions = z.object({
  hatch: z.string(),
  /** The name of the latest migration of the database; null: there is none. */
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
    summary: 'What a new shop needs before it goes live. `check`: only the owner can tell whether it is right.',
    response: SingleAnswer(Onboarding),
  },
  'POST /v1/stores/{id}/first-evening': {
    idOrName: storePathName,
    access: 'admin',
    summary: 'Remind of it in the office or not, and settle a step that may stay as it is.',
    body: z.object({ is_shown: z.boolean().optional(), settled: z.enum(onboardingStepNames).optional() }),
    response: null,
  },
} as const;
