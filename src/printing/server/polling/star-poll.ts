import { z } from 'zod';

/** What is not understood counts as not said: firmware differs, and a printer must print all the same. */
const lenient = <T extends z.ZodType>(type: T) => type.nullish().catch(null);

/** What a printer says when it polls. */
export const StarPoll = z
  .object({
    statusCode: lenient(z.string().max(300)),
    jobToken: lenient(z.string().max(200)),
    printingInProgress: lenient(z.boolean()),
    clientAction: lenient(
      z.array(z.object({ request: lenient(z.string()), result: lenient(z.union([z.string(), z.number()])) })).max(50),
    ),
  })
  .catch({ statusCode: null, jobToken: null, printingInProgress: null, clientAction: null });
export type StarPoll = z.infer<typeof StarPoll>;

export const askForInterval = { request: 'GetPollInterval', options: '' } as const;

/** Seconds between two polls, if the printer answers that question; null: it does not. */
export function pollIntervalOf({ clientAction }: StarPoll): number | null {
  const answer = clientAction?.find(({ request }) => request === askForInterval.request);
  const seconds = Math.round(Number(answer?.result ?? Number.NaN));
  return seconds >= 1 && seconds <= 86_400 ? seconds : null;
}
