import { z } from 'zod';
import { canTakeJob, readStarCode, reportOfCode } from '#printing/server/polling/star-status.ts';
import type { PrinterReport } from '#printing/server/transport.ts';

/** What is not understood counts as not said: firmware differs, and a printer must print all the same. */
const lenient = <T extends z.ZodType>(type: T) => type.nullish().catch(null);

/** What a printer says when it polls. */
const StarPoll = z
  .object({
    statusCode: lenient(z.string().max(300)),
    printingInProgress: lenient(z.boolean()),
    clientAction: lenient(
      z.array(z.object({ request: lenient(z.string()), result: lenient(z.union([z.string(), z.number()])) })).max(50),
    ),
  })
  .catch({ statusCode: null, printingInProgress: null, clientAction: null });

/** A poll as far as it is understood. */
export interface ReadPoll {
  report: PrinterReport;
  /** It can print, or does not say that it cannot. */
  canPrint: boolean;
  /** null: older firmware does not say whether it has something in its hands. */
  isPrinting: boolean | null;
}

export const askForInterval = { request: 'GetPollInterval', options: '' } as const;

export function readStarPoll(body: unknown): ReadPoll {
  const { statusCode, printingInProgress, clientAction } = StarPoll.parse(body);
  const code = readStarCode(statusCode);
  const answer = clientAction?.find(({ request }) => request === askForInterval.request);
  const seconds = Math.round(Number(answer?.result ?? Number.NaN));
  return {
    report: {
      ...(code && reportOfCode(code)),
      ...(seconds >= 1 && seconds <= 86_400 && { pollSeconds: seconds }),
    },
    canPrint: canTakeJob(code),
    isPrinting: printingInProgress ?? null,
  };
}
