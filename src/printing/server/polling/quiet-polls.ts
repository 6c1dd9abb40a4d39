import type { QuickCall } from '#platform/server/quick-calls.ts';
import type { IntervalQuestions } from '#printing/server/polling/interval-questions.ts';
import { readBasic, signedInPrinter } from '#printing/server/polling/printer-sign-in.ts';
import { askForInterval, type ReadPoll, readStarPoll } from '#printing/server/polling/star-poll.ts';
import type { KnownPrinters, PrintLeases } from '#printing/server/transport.ts';

export interface QuietServices {
  leases: Pick<PrintLeases, 'mayHave'>;
  printers: KnownPrinters;
}

const path = /^\/v1\/printers\/([\da-f-]{36})\/cloudprnt$/;
const headers = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' };

/**
 * Polls that find no job, which nearly all are. They are answered by what is in memory, before the framework; all others come
 * to the route behind it. A printer says the same at each poll until something changes, so that is read once.
 */
export function quietPolls({ leases, printers }: QuietServices, questions: IntervalQuestions): QuickCall {
  const last = new Map<string, { body: string; poll: ReadPoll }>();
  const read = (id: string, body: string): ReadPoll => {
    const known = last.get(id);
    if (known?.body === body) return known.poll;
    const poll = readStarPoll(JSON.parse(body));
    last.set(id, { body, poll });
    return poll;
  };
  return {
    mostBytes: 2_048,
    // Nothing of a body is read before the printer has signed in.
    isFor({ method, url = '', headers: { 'content-type': type = '', authorization } }) {
      if (method !== 'POST' || !type.startsWith('application/json')) return false;
      const [, id = ''] = path.exec(url) ?? [];
      if (id === '' || leases.mayHave(id)) return false;
      return signedInPrinter(printers, id, 'star_cloudprnt', [readBasic(authorization)]) !== null;
    },
    answer({ url = '' }, body) {
      const [, id = ''] = path.exec(url) ?? [];
      // A job may have come while the body did.
      if (leases.mayHave(id)) return null;
      hear(printers, questions, id, read(id, body));
      printers.polled(id, true);
      return { headers, text: JSON.stringify(nothingFor(id, questions)) };
    },
  };
}

/** Takes in what a printer says at a poll. */
export function hear(printers: KnownPrinters, questions: IntervalQuestions, id: string, { report }: ReadPoll): void {
  if (report.pollSeconds !== undefined) questions.answered(id);
  printers.heard(id, report);
}

/** The answer to a poll without a job. */
export function nothingFor(id: string, questions: IntervalQuestions) {
  return { jobReady: false, ...(questions.isDue(id) && { clientAction: [askForInterval] }) };
}
