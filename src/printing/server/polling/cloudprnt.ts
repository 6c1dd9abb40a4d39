import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PrintJobFormat, findPrinterProfile } from '#printing/paper/profiles.ts';
import { supportedPrintJobFormats } from '#printing/printer-formats.ts';
import { mediaTypes } from '#printing/server/encode/encode-receipt.ts';
import { encodeLeasedJob } from '#printing/server/leases.ts';
import {
  expandUuid,
  isPrinterSecret,
  type PrinterRow,
  shortenUuid,
  printerUsername,
} from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type {
  EncodedJob,
  JobAttempt,
  CachedPrinters,
  PrinterReport,
  PrintJob,
  PrintLeases,
} from '#printing/server/transport.ts';
import { z } from 'zod';
import type { PrintFault } from '#ordering/print.ts';
import type { PrintJobOutcome } from '#printing/print-outcome.ts';
import type { PrinterKind } from '#printing/printer.ts';

type Services = Pick<PrintingServices, 'encode' | 'leases' | 'log' | 'now' | 'printers'>;
interface Query {
  token?: string;
  type?: string;
  code?: string;
  delete?: string;
}

export const pollingLeaseHolder = 'printer';

/** A printer that has fetched a job may report for this time that it is idle, although it will print the job (ms). */
const beginsWithin = 3_000;

/** After a printer has reported its poll interval, the shop asks for the interval again after this time (ms). */
const asksAnsweredEvery = 60 * 60_000;
/** If a printer has not answered the question for its poll interval, the shop asks again after this time (ms). */
const asksSilentEvery = 60_000;

/**
 * Serves Star CloudPRNT: a printer polls by POST, fetches its job by GET, and confirms the job by DELETE, or by GET
 * with `delete`. No response is cached.
 */
export function serveCloudPrnt(http: FastifyInstance, services: Services): void {
  const url = '/v1/printers/:id/cloudprnt';
  const askIntervalAt = new Map<string, number>();
  const answer =
    (work: (printer: PrinterRow, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      reply.header('cache-control', 'no-store');
      // The route's pattern contains `id`, so the parameter exists.
      const { id } = request.params as { id: string };
      const given = [readBasicCredentials(request.headers.authorization)];
      const printer = authenticatePrinter(services.printers, id, 'star_cloudprnt', given);
      return printer ? work(printer, request, reply) : answerUnauthorized(reply);
    };
  // Polls are logged only from warnings up, because a log entry per poll would bury other entries.
  const options = { bodyLimit: 32 * 1024, logLevel: 'warn' } as const;
  http.post(
    url,
    options,
    answer((printer, { body }) => poll(services, askIntervalAt, printer, readStarPoll(body))),
  );
  http.get(
    url,
    options,
    answer((printer, request, reply) => {
      const query = queryOf(request);
      return query.delete === undefined
        ? sendJob(services, printer, query, reply)
        : confirm(services, printer, query, reply);
    }),
  );
  http.delete(
    url,
    options,
    answer((printer, request, reply) => confirm(services, printer, queryOf(request), reply)),
  );
}

async function poll(services: Services, askIntervalAt: Map<string, number>, printer: PrinterRow, said: ReadPoll) {
  const { id } = printer;
  const { leases, printers } = services;
  const now = services.now().getTime();
  if (said.report.pollSeconds !== undefined) askIntervalAt.set(id, now + asksAnsweredEvery);
  printers.heard(id, said.report);
  const job = leases.mayHave(id) ? await jobFor(services, printer, said) : null;
  printers.polled(id, !leases.mayHave(id));
  if (!job) {
    if (now < (askIntervalAt.get(id) ?? 0)) return { jobReady: false };
    askIntervalAt.set(id, now + asksSilentEvery);
    return { jobReady: false, clientAction: [askForInterval] };
  }
  const types = formatsOf(printer).map((format) => mediaTypes[format]);
  return { jobReady: true, mediaTypes: types, jobToken: leaseTokenOf(job), deleteMethod: 'DELETE' };
}

/** Leases the printer's next job; null if no job waits, the printer cannot print, or its last job is unfinished. */
async function jobFor(
  services: Services,
  printer: PrinterRow,
  { report: { fault, detail }, canPrint, isPrinting }: ReadPoll,
): Promise<PrintJob | null> {
  const { leases } = services;
  const held = await leases.held(printer.id);
  if (fault && !canPrint) {
    // The attempt ends here, so that the backup printer gets the job at once. A job that was fetched may be partly on
    // paper.
    const kind = held?.sentAt ? 'unknown' : 'refused';
    if (held) await leases.result(held, { kind, fault, ...(detail && { detail }) });
    return null;
  }
  if (!held?.sentAt) return leases.lease(printer.id, pollingLeaseHolder);
  if (isPrinting) await leases.extend(held);
  // The printer is idle, so it has lost the job or its confirmation. `isPrinting` is null with older firmware, which
  // does not report it.
  else if (isPrinting === false && services.now().getTime() - held.sentAt.getTime() >= beginsWithin) {
    await leases.result(held, { kind: 'unknown', fault: 'other', detail: 'no confirmation', isOfJob: true });
  }
  return null;
}

/** Sends the leased job's bytes each time the printer fetches the job. */
async function sendJob(services: Services, printer: PrinterRow, { token, type }: Query, reply: FastifyReply) {
  services.printers.heard(printer.id);
  const job = await services.leases.held(printer.id);
  if (!job || (token !== undefined && token !== leaseTokenOf(job))) return reply.status(404).send();
  const format = formatsOf(printer).find((one) => type === undefined || mediaTypes[one] === type);
  if (!format) return reply.status(415).send();
  const encoded = await encodeLeasedJob(services, job, format);
  if (!encoded || !(await services.leases.begin(job))) return reply.status(404).send();
  return reply
    .headers(controlsFor(encoded, format, printer))
    .type(encoded.mediaType)
    .send(encoded.bytes);
}

/**
 * Records a job's outcome. A repeated confirmation, or one about an older attempt, changes nothing but is acknowledged,
 * so that the printer continues.
 */
async function confirm(services: Services, printer: PrinterRow, { token, code }: Query, reply: FastifyReply) {
  const read = readStarCode(code);
  services.printers.heard(printer.id, read && isPaperLow(read) ? { paper: 'low' } : {});
  const named = await findJobByToken(services.leases, printer.id, token);
  if (named) await services.leases.result(named, outcomeOfCode(read));
  return reply.status(200).send();
}

/** The headers that make the printer cut, open the drawer or beep, for formats without commands (pictures and text). */
function controlsFor(job: EncodedJob, format: PrintJobFormat, printer: PrinterRow): Record<string, string> {
  const profile = findPrinterProfile(printer.profile, printer.width_mm);
  if (!profile || (format !== 'png' && format !== 'text')) return {};
  return {
    ...(profile.cut !== 'none' && { 'x-star-cut': `${profile.cut}; feed=true` }),
    ...(job.opensDrawer && profile.drawer && { 'x-star-cashdrawer': 'start' }),
    ...(job.soundsBuzzer && profile.buzzer === 'star' && { 'x-star-buzzerstartpattern': '1' }),
  };
}

function formatsOf(printer: PrinterRow): PrintJobFormat[] {
  const profile = findPrinterProfile(printer.profile, printer.width_mm);
  return profile ? supportedPrintJobFormats(printer.kind, profile) : [];
}

/** The query parameters; a repeated parameter has its first value. */
function queryOf({ query }: FastifyRequest): Query {
  const given = Object.entries(query as Record<string, unknown>).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value[0] : value,
  ]);
  return Object.fromEntries(given.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** An invalid value counts as missing, because firmware differs and a printer must print anyway. */
const lenient = <T extends z.ZodType>(type: T) => type.nullish().catch(null);

const StarPoll = z
  .object({
    statusCode: lenient(z.string().max(300)),
    printingInProgress: lenient(z.boolean()),
    clientAction: lenient(
      z.array(z.object({ request: lenient(z.string()), result: lenient(z.union([z.string(), z.number()])) })).max(50),
    ),
  })
  .catch({ statusCode: null, printingInProgress: null, clientAction: null });

interface ReadPoll {
  report: PrinterReport;
  /** Whether the printer can take a job; false only if it reports that it cannot print. */
  canPrint: boolean;
  /** Whether the printer is printing; null: older firmware does not report it. */
  isPrinting: boolean | null;
}

const askForInterval = { request: 'GetPollInterval', options: '' } as const;

function readStarPoll(body: unknown): ReadPoll {
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

/**
 * Star's status: a code of three digits, with an optional text: `410` or `410 Out of paper`. Polls send it
 * percent-encoded.
 */
export interface StarCode {
  number: number;
  /** The printer's status as staff read it: the code with its text. */
  text: string;
}

/** Parses a status code; null if the text does not begin with one. `OK` alone means 200. */
function readStarCode(given: unknown): StarCode | null {
  if (typeof given !== 'string') return null;
  const text = decoded(given)
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 100);
  if (/^ok$/i.test(text)) return { number: 200, text: '200 OK' };
  const [, digits] = /^(\d{3})\d?(?:\D|$)/.exec(text) ?? [];
  return digits === undefined ? null : { number: Number(digits), text };
}

/**
 * The report that a poll's code implies. 2xx: the printer can print. 4xx: the printer cannot print. 5xx: the last job
 * was unusable, and the next job may work.
 */
function reportOfCode(code: StarCode): PrinterReport {
  const { number } = code;
  if (number >= 200 && number < 300) return { fault: null, paper: isPaperLow(code) ? 'low' : 'ok', cover: 'closed' };
  const fault = faultOf(number);
  if (fault === null) return {};
  return {
    fault,
    detail: detailOf(fault, code),
    ...(fault === 'paper_out' && { paper: 'out' as const }),
    ...(fault === 'cover_open' && { cover: 'open' as const }),
  };
}

/** Whether a printer with this code can take a job. A printer that sends no code can. */
function canTakeJob(code: StarCode | null): boolean {
  return code === null || code.number < 400 || code.number > 499;
}

function isPaperLow({ number }: StarCode): boolean {
  return number >= 210 && number < 220;
}

/**
 * A job's outcome by its confirming code. 4xx: part of the job may be on paper, so the outcome is uncertain. 5xx: the
 * data was unusable, so nothing was printed.
 */
function outcomeOfCode(code: StarCode | null): PrintJobOutcome {
  if (code === null) return { kind: 'unknown', fault: 'other', isOfJob: true };
  if (code.number >= 200 && code.number < 300) return { kind: 'printed' };
  const fault = faultOf(code.number) ?? 'other';
  const detail = detailOf(fault, code);
  const said = { fault, ...(detail !== null && { detail }) };
  if (!canTakeJob(code)) return { kind: 'unknown', ...said };
  return { kind: 'refused', ...said, isOfJob: true };
}

/** The fault of a code by Star's "Printer Status Codes": the first digit is the category, the second the detail. */
function faultOf(number: number): PrintFault | null {
  if (number === 410) return 'paper_out';
  const [kind, group] = [Math.floor(number / 100), Math.floor(number / 10)];
  if (group === 41) return 'paper_stuck';
  if (group === 42) return 'cover_open';
  if (group === 51 || number === 521) return 'cannot_read';
  if (group === 52) return 'not_fetched';
  return kind === 4 || kind === 5 ? 'other' : null;
}

const spokenFaults: ReadonlySet<PrintFault> = new Set(['paper_out', 'cover_open']);

/** The printer's text; null if it only repeats the fault. */
function detailOf(fault: PrintFault, { text }: StarCode): string | null {
  if (spokenFaults.has(fault)) return null;
  return text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface Credentials {
  username: string;
  secret: string;
}

/** Parses HTTP Basic authentication; null if the header has none. */
export function readBasicCredentials(authorization: string | undefined): Credentials | null {
  const [, encoded] = /^basic +([a-z0-9+/_-]+={0,2})$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? null : { username: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** Finds a cached printer by id and kind. Null: there is none, or none of the given credentials belongs to it. */
export function authenticatePrinter(
  printers: Pick<CachedPrinters, 'find'>,
  id: string,
  kind: PrinterKind,
  given: readonly (Credentials | null)[],
): PrinterRow | null {
  const printer = printers.find(id);
  if (printer?.kind !== kind) return null;
  const isOwn = given.some(
    (one) => one !== null && one.username === printerUsername(id) && isPrinterSecret(printer, one.secret),
  );
  return isOwn ? printer : null;
}

/**
 * Refuses an unknown printer, a wrong secret and a missing secret alike with 401, because some printers send their
 * secret only after a challenge.
 */
export function answerUnauthorized(reply: FastifyReply): FastifyReply {
  return reply.status(401).header('www-authenticate', 'Basic realm="printer"').send();
}

/** The token of an attempt, which the printer returns. It has 22 letters, because Epson printers store at most 30. */
export function leaseTokenOf({ leaseId }: Pick<PrintJob, 'leaseId'>): string {
  return shortenUuid(leaseId);
}

/**
 * Finds the job of a token that a printer returned, even if its attempt has ended. Without a token it finds the
 * printer's leased job. null: the printer has no such job.
 */
export async function findJobByToken(
  leases: Pick<PrintLeases, 'held' | 'find'>,
  printerId: string,
  token: string | undefined,
): Promise<JobAttempt | null> {
  const held = await leases.held(printerId);
  if (token === undefined || (held && leaseTokenOf(held) === token)) return held;
  return /^[\w-]{22}$/.test(token) ? leases.find(printerId, expandUuid(token)) : null;
}
