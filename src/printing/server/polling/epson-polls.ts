import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  epsonConditionAfter,
  epsonCondition,
  emptyEposDocument,
  type EpsonResponse,
  epsonOutcome,
  readEpsonResponse,
  readEpsonStatus,
} from '#printing/protocols/epson-answer.ts';
import type { ReportedCondition } from '#printing/protocols/dialogue.ts';
import { isUnreachableFault } from '#printing/printer-rules.ts';
import { encodeLeasedJob } from '#printing/server/leases.ts';
import {
  leaseTokenOf,
  type Credentials,
  findJobByToken,
  pollingLeaseHolder,
  readBasicCredentials,
  answerUnauthorized,
  authenticatePrinter,
} from '#printing/server/polling/cloudprnt.ts';
import type { PrinterRow } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { PrinterReport } from '#printing/server/transport.ts';

type Services = Pick<PrintingServices, 'encode' | 'leases' | 'log' | 'now' | 'printers'>;
type Form = Record<string, string>;

/** The time in which a printer must begin a job (ms); each document contains it. */
const printsWithin = 10_000;
/** How long a printer may poll without reporting its sent job, before the job counts as lost (ms). */
const saysWithin = 15_000;
/** The interval of status requests (ms); usually the response to one of two polls contains a request. */
const asksEvery = 9_000;
/** The interval of status requests during a fault (ms); usually every poll gets one. */
const asksTroubledEvery = 4_000;
const statusQuestion = 'status';

/**
 * Serves Epson Server Direct Print: a printer polls with one form and reports with another. Some printers send their
 * secret only in the form, in the field `Name`.
 */
export function serveEpsonPolls(http: FastifyInstance, services: Services): void {
  const askedAt = new Map<string, number>();
  const options = { bodyLimit: 64 * 1024, logLevel: 'warn' } as const;
  http.post('/v1/printers/:id/epson', options, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const form = formOf(request);
    // The route's pattern contains `id`, so the parameter exists.
    const { id } = request.params as { id: string };
    const given = [readBasicCredentials(request.headers.authorization), credentialsIn(form)];
    const printer = authenticatePrinter(services.printers, id, 'epson_sdp', given);
    if (!printer) return answerUnauthorized(reply);
    switch (form['ConnectionType']) {
      case 'GetRequest':
        return sendXml(reply, await nextRequest(services, printer, askedAt));
      case 'SetResponse':
        await takeResponse(services, printer, form['ResponseFile'] ?? '');
        return sendXml(reply, '');
      case 'SetStatus': {
        const status = readEpsonStatus(form['Status'] ?? '');
        services.printers.heard(id, status === null ? {} : epsonCondition(status));
        return sendXml(reply, '');
      }
      default:
        return reply.status(400).send();
    }
  });
}

/** The response to a poll: the next job as a document, or a status request; empty if neither is due. */
async function nextRequest(services: Services, printer: PrinterRow, askedAt: Map<string, number>): Promise<string> {
  const { leases, printers } = services;
  const { id } = printer;
  printers.heard(id);
  printers.polled(id, !leases.mayHave(id));
  const now = services.now().getTime();
  if (!isTroubled(printer) && leases.mayHave(id)) {
    const held = await leases.held(id);
    if (held?.sentAt) {
      // The printer polls without having reported this job. After `saysWithin` the job or its report counts as lost.
      if (now - held.sentAt.getTime() < saysWithin) return '';
      await leases.result(held, { kind: 'unknown', fault: 'other', detail: 'no response', isOfJob: true });
      return '';
    }
    const job = await leases.lease(id, pollingLeaseHolder);
    const encoded = job && (await encodeLeasedJob(services, job, 'epos_xml'));
    if (encoded && (await leases.begin(encoded))) return requestFor(leaseTokenOf(encoded), encoded.bytes.toString());
    return '';
  }
  return questionFor(services, printer, askedAt);
}

/**
 * Whether the printer itself reported a fault. Such a printer would fetch a job and then fail to print the job. The
 * fault `offline` does not count, because the poll disproves it.
 */
function isTroubled({ fault }: PrinterRow): boolean {
  return fault !== null && !isUnreachableFault(fault);
}

/**
 * A status request; empty if the last one was sent recently. Polls do not report missing paper, but the response to an
 * empty document does.
 */
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

/**
 * Records a printer's report about its job. A repeated report, or one about an older attempt, does not change the job.
 */
async function takeResponse(services: Services, printer: PrinterRow, xml: string): Promise<void> {
  const response = readEpsonResponse(xml);
  if (!response) return services.printers.heard(printer.id);
  if (response.token === statusQuestion) return hearState(services, printer, response);
  const outcome = epsonOutcome(response);
  services.printers.heard(printer.id, sensedIn(epsonConditionAfter(response)));
  const job = await findJobByToken(services.leases, printer.id, response.token ?? undefined);
  if (job) await services.leases.result(job, outcome);
}

function hearState({ printers }: Services, { id }: PrinterRow, response: EpsonResponse): void {
  const condition = epsonConditionAfter(response);
  printers.heard(id, { ...sensedIn(condition), fault: condition.fault, detail: condition.detail });
}

function sensedIn({ paper, cover }: ReportedCondition): PrinterReport {
  return { ...(paper !== 'unknown' && { paper }), ...(cover !== 'unknown' && { cover }) };
}

/** The user name and the secret in the form. The secret's field depends on the firmware. */
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
