import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  conditionAfter,
  conditionOfStatus,
  emptyEposDocument,
  type EpsonResponse,
  outcomeOf,
  readEpsonResponse,
  readEpsonStatus,
} from '#printing/protocols/epson-answer.ts';
import type { Condition } from '#printing/protocols/dialogue.ts';
import { isUnreachable } from '#printing/printer-rules.ts';
import { encodeLeased } from '#printing/server/leases.ts';
import {
  attemptToken,
  type Credentials,
  namedJob,
  pollingHolder,
  readBasic,
  refusePrinter,
  signedInPrinter,
} from '#printing/server/polling/cloudprnt.ts';
import type { PrinterRow } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { PrinterReport } from '#printing/server/transport.ts';

type Services = Pick<PrintingServices, 'encode' | 'leases' | 'log' | 'now' | 'printers'>;
type Form = Record<string, string>;

/** Milliseconds for a printer to begin, and to report its job before it asks for the next one. */
const printsWithin = 10_000;
const saysWithin = 15_000;
/** Milliseconds between questions how it is: at every second poll as a rule, and at each to a printer in trouble. */
const asksEvery = 9_000;
const asksTroubledEvery = 4_000;
const statusQuestion = 'status';

/**
 * Epson Server Direct Print: a printer asks by a form for its next job, and reports the outcome by another one. Some
 * send their secret in the form only, as the name beside the ID in their settings.
 */
export function serveEpsonPolls(http: FastifyInstance, services: Services): void {
  const askedAt = new Map<string, number>();
  const options = { bodyLimit: 64 * 1024, logLevel: 'warn' } as const;
  http.post('/v1/printers/:id/epson', options, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const form = formOf(request);
    // The route has this parameter.
    const { id } = request.params as { id: string };
    const given = [readBasic(request.headers.authorization), credentialsIn(form)];
    const printer = signedInPrinter(services.printers, id, 'epson_sdp', given);
    if (!printer) return refusePrinter(reply);
    switch (form['ConnectionType']) {
      case 'GetRequest':
        return sendXml(reply, await nextRequest(services, printer, askedAt));
      case 'SetResponse':
        await takeResponse(services, printer, form['ResponseFile'] ?? '');
        return sendXml(reply, '');
      case 'SetStatus': {
        const status = readEpsonStatus(form['Status'] ?? '');
        services.printers.heard(id, status === null ? {} : conditionOfStatus(status));
        return sendXml(reply, '');
      }
      default:
        return reply.status(400).send();
    }
  });
}

/** The job for the printer as a document, or a question how it is; empty: nothing. */
async function nextRequest(services: Services, printer: PrinterRow, askedAt: Map<string, number>): Promise<string> {
  const { leases, printers } = services;
  const { id } = printer;
  printers.heard(id);
  printers.polled(id, !leases.mayHave(id));
  const now = services.now().getTime();
  if (!isTroubled(printer) && leases.mayHave(id)) {
    const held = await leases.held(id);
    if (held?.sentAt) {
      // It asks for the next job, and has said nothing of this one: the job, or the word about it, was lost on the way.
      if (now - held.sentAt.getTime() < saysWithin) return '';
      await leases.result(held, { kind: 'unknown', fault: 'other', detail: 'no response', isOfJob: true });
      return '';
    }
    const job = await leases.lease(id, pollingHolder);
    const encoded = job && (await encodeLeased(services, job, 'epos_xml'));
    if (encoded && (await leases.begin(encoded))) return requestFor(attemptToken(encoded), encoded.bytes.toString());
    return '';
  }
  return questionFor(services, printer, askedAt);
}

/** A printer without paper takes a job, and then refuses it; one that asks is not silent any more. */
function isTroubled({ fault }: PrinterRow): boolean {
  return fault !== null && !isUnreachable(fault);
}

/** Polls say nothing about paper: an empty document is answered with the printer's state. Empty: it was asked just now. */
function questionFor({ now: clock }: Services, printer: PrinterRow, askedAt: Map<string, number>): string {
  const now = clock().getTime();
  const every = isTroubled(printer) ? asksTroubledEvery : asksEvery;
  if (now - (askedAt.get(printer.id) ?? 0) < every) return '';
  askedAt.set(printer.id, now);
  return requestFor(statusQuestion, emptyEposDocument);
}

function requestFor(token: string, document: string): string {
  const parameter = `<Parameter><devid>local_printer</devid><timeout>${printsWithin}</timeout><printjobid>${token}</printjobid></Parameter>`;
  const print = `<ePOSPrint>${parameter}<PrintData>${document}</PrintData></ePOSPrint>`;
  return `<?xml version="1.0" encoding="utf-8"?><PrintRequestInfo Version="2.00">${print}</PrintRequestInfo>`;
}

/** Writes a printer's report of its job. Repeated or late, it changes nothing. */
async function takeResponse(services: Services, printer: PrinterRow, xml: string): Promise<void> {
  const response = readEpsonResponse(xml);
  if (!response) return services.printers.heard(printer.id);
  if (response.token === statusQuestion) return hearState(services, printer, response);
  const outcome = outcomeOf(response);
  services.printers.heard(printer.id, sensedIn(conditionAfter(response)));
  const job = await namedJob(services.leases, printer.id, response.token ?? undefined);
  if (job) await services.leases.result(job, outcome);
}

/** Takes in the answer to a question how it is. */
function hearState({ printers }: Services, { id }: PrinterRow, response: EpsonResponse): void {
  const condition = conditionAfter(response);
  printers.heard(id, { ...sensedIn(condition), fault: condition.fault, detail: condition.detail });
}

function sensedIn({ paper, cover }: Condition): PrinterReport {
  return { ...(paper !== 'unknown' && { paper }), ...(cover !== 'unknown' && { cover }) };
}

/** The ID of the form, and the secret under any of the names that firmware gives it. */
function credentialsIn({ ID: username, Name: name, Password: password, Secret: secret }: Form): Credentials | null {
  const given = secret ?? password ?? name;
  return username === undefined || given === undefined ? null : { username, secret: given };
}

function formOf({ body }: FastifyRequest): Form {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function sendXml(reply: FastifyReply, xml: string): FastifyReply {
  return reply.type('text/xml; charset=utf-8').send(xml);
}
