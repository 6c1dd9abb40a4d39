import { randomBytes } from 'node:crypto';
import { lookup, type LookupAddress } from 'node:dns';
import type { PrintJobOutcome, PrintFaultDetails } from '#printing/print-outcome.ts';
import { findPrinterProfile } from '#printing/paper/profiles.ts';
import type { ReportedCondition, PrinterDialogue } from '#printing/protocols/dialogue.ts';
import { createEscPosDialogue, newJobName } from '#printing/protocols/escpos-dialogue.ts';
import { mediaTypes } from '#printing/server/encode/encode-receipt.ts';
import { createStarDialogue } from '#printing/server/network/star-dialogue.ts';
import type { PrinterRow } from '#printing/server/printer-views.ts';
import type { PrinterReport, Transport } from '#printing/server/transport.ts';
import ipaddr from 'ipaddr.js';
import type { PrintFault } from '#ordering/print.ts';
import { connect, type Socket } from 'node:net';

export interface NetworkOptions {
  allowsOwnMachine: boolean;
  onCondition(printerId: string, report: PrinterReport): void;
  lookup?: typeof lookup;
  timeouts?: ConversationTimeouts;
}

/** The timeouts of a connection to a printer (ms). */
export interface ConversationTimeouts {
  /** The timeout of a status answer. A printer that is busy with another sender does not answer. */
  answers: number;
  /** The interval of status requests after a job was sent. */
  asks: number;
  /** The silence after which a printing printer counts as lost. */
  silence: number;
  /** The time after the confirmation in which an unrequested byte makes the confirmation doubtful. */
  settles: number;
}

const usualTimeouts: ConversationTimeouts = { answers: 3_000, asks: 1_000, silence: 10_000, settles: 250 };

/** Creates the transport for printers that the server connects to by TCP, in the command language of their model. */
export function createNetworkTransport(options: NetworkOptions): Transport {
  const timeouts = options.timeouts ?? usualTimeouts;
  return {
    async send(job, signal) {
      const { printer } = job;
      const opened = await open(options, printer, job.mediaType, signal);
      if ('trouble' in opened) return { kind: 'refused', ...opened.trouble };
      const { line, dialogue } = opened;
      try {
        const outcome = hasStatus(printer)
          ? await print({ line, dialogue, timeouts }, job.bytes, signal)
          : await push(line, job.bytes, timeouts);
        const { paper, cover } = dialogue.condition;
        if (dialogue.answers > 0 && !line.isWordy) options.onCondition(printer.id, { paper, cover });
        return outcome;
      } finally {
        line.cut();
      }
    },
    async probe(printer, signal) {
      const opened = await open(options, printer, null, signal);
      if ('trouble' in opened) return { ...opened.trouble, detail: opened.trouble.detail ?? null };
      const { line, dialogue } = opened;
      try {
        if (!hasStatus(printer)) return { fault: null };
        const isAnswered = await ask({ line, dialogue, timeouts });
        if (line.isWordy) return { fault: 'wrong_address' };
        return isAnswered ? dialogue.condition : { fault: 'offline', detail: null };
      } finally {
        line.cut();
      }
    },
  };
}

function hasStatus(printer: PrinterRow): boolean {
  return findPrinterProfile(printer.profile, printer.width_mm)?.status_back ?? false;
}

async function open(
  { allowsOwnMachine, lookup }: NetworkOptions,
  printer: PrinterRow,
  mediaType: string | null,
  signal: AbortSignal,
): Promise<{ line: Line; dialogue: PrinterDialogue } | { trouble: PrintFaultDetails }> {
  const profile = findPrinterProfile(printer.profile, printer.width_mm);
  const isEscPos = mediaType === null ? profile?.formats[0] === 'escpos' : mediaType === mediaTypes.escpos;
  const [one = 0, two = 0] = randomBytes(2);
  const dialogue = isEscPos
    ? createEscPosDialogue(profile?.names_jobs ? newJobName() : null)
    : createStarDialogue([one, two]);
  try {
    const reach = { allowsPrivate: printer.allows_private_address, allowsOwnMachine };
    const place = await resolveAllowedAddress(printer.address, reach, lookup);
    return { line: await openLine(place, (bytes) => dialogue.hear(bytes), signal), dialogue };
  } catch (error) {
    return { trouble: troubleOf(error) };
  }
}

/** Explains a failed connection: nothing was sent, so nothing is on paper. */
function troubleOf(error: unknown): PrintFaultDetails {
  if (error instanceof ForbiddenAddressError) return { fault: error.fault };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (['ENOTFOUND', 'EAI_NODATA'].includes(code)) return { fault: 'address_unknown' };
  const isNobody = ['ECONNREFUSED', 'EAI_AGAIN', 'EADDRNOTAVAIL'].includes(code);
  return { fault: isNobody ? 'wrong_address' : 'offline', detail: code };
}

interface Talk {
  line: Line;
  dialogue: PrinterDialogue;
  timeouts: ConversationTimeouts;
}

/** Sends a whole job to a printer that never answers. */
async function push(line: Line, bytes: Buffer, { answers }: ConversationTimeouts): Promise<PrintJobOutcome> {
  if (!(await line.send(bytes))) return { kind: 'unknown', fault: 'offline' };
  line.end();
  // The wait ends early if the printer closes its side, because it has then received everything.
  await line.until(() => line.isClosed, answers);
  return { kind: 'sent' };
}

/**
 * Sends a job to a printer that reports its status. Nothing is sent if the printer does not answer the first status
 * request, or answers with a fault.
 */
async function print(talk: Talk, bytes: Buffer, signal: AbortSignal): Promise<PrintJobOutcome> {
  const { line, dialogue, timeouts } = talk;
  const isAnswered = await ask(talk);
  if (line.isWordy) return { kind: 'refused', fault: 'wrong_address' };
  if (!isAnswered) return { kind: 'refused', fault: 'offline', mayPass: true };
  const before = dialogue.condition;
  if (before.fault !== null) return { kind: 'refused', ...troubleIn(before) };
  const isEnded = () => dialogue.trouble !== null || signal.aborted;
  dialogue.begin();
  let isWritten = false;
  const written = line.send(Buffer.concat([dialogue.opening, bytes, dialogue.fence])).then((isSent) => {
    isWritten = isSent;
    if (isSent) dialogue.written();
    return isSent;
  });
  // A printer without paper accepts no more bytes, so the writing might never end. A fault that the printer reports
  // therefore ends the wait.
  while (!isWritten && !isEnded() && !line.isClosed) await Promise.race([written, line.until(isEnded, timeouts.asks)]);
  return isWritten ? untilPrinted(talk, signal) : ended(line, dialogue);
}

async function untilPrinted(talk: Talk, signal: AbortSignal): Promise<PrintJobOutcome> {
  const { line, dialogue, timeouts } = talk;
  let heardAt = performance.now();
  for (let unanswered = 0; !signal.aborted;) {
    const known = dialogue.answers;
    const isDone = () => !dialogue.isAwaited || dialogue.isDoubtful || dialogue.trouble !== null;
    await line.until(isDone, timeouts.asks);
    if (dialogue.isPrinted) return closed(talk);
    if (dialogue.isDoubtful) return noWord;
    if (dialogue.trouble !== null || line.isClosed) break;
    const next = dialogue.next(unanswered >= lateAfter);
    if (next) {
      await line.send(next);
      continue;
    }
    unanswered += 1;
    await ask(talk, timeouts.asks);
    if (dialogue.answers > known) heardAt = performance.now();
    else if (performance.now() - heardAt > timeouts.silence) break;
  }
  return ended(line, dialogue);
}

/**
 * If the fence is still unanswered after this number of status rounds, paper status requests confirm the job instead.
 */
const lateAfter = 3;

/** The outcome of a job that may be on paper, but that the printer did not confirm. */
const noWord: PrintJobOutcome = { kind: 'unknown', fault: 'unanswered', isOfJob: true };

/** Closes the connection after the confirmation. Unrequested bytes within `settles` make the confirmation doubtful. */
async function closed({ line, dialogue, timeouts }: Talk): Promise<PrintJobOutcome> {
  await line.send(dialogue.closing);
  if (!dialogue.isCertain) await line.until(() => !dialogue.isPrinted, timeouts.settles);
  line.end();
  return dialogue.isPrinted ? { kind: 'printed' } : noWord;
}

/** The outcome of a connection that ended early: part of the job may be on paper. */
function ended({ isClosed }: Line, { trouble }: PrinterDialogue): PrintJobOutcome {
  if (trouble !== null) return { kind: 'unknown', ...troubleIn(trouble) };
  return { kind: 'unknown', fault: 'offline', detail: isClosed ? 'ECONNRESET' : 'ETIMEDOUT' };
}

/** Requests the printer's status. Resolves to false if an answer is missing and the job is not confirmed either. */
async function ask({ line, dialogue, timeouts }: Talk, within = timeouts.answers): Promise<boolean> {
  for (const [index, question] of dialogue.questions.entries()) {
    const known = dialogue.answers;
    dialogue.asks(index);
    if (!(await line.send(question))) return false;
    if (!(await line.until(() => dialogue.answers > known || !dialogue.isAwaited, within))) return false;
  }
  return true;
}

function troubleIn({ fault, detail }: ReportedCondition): PrintFaultDetails {
  return { fault: fault ?? 'other', ...(detail !== null && { detail }) };
}

export interface PrinterAddressPolicy {
  /** Whether the owner agreed to addresses of a private network. */
  allowsPrivate: boolean;
  /** Whether addresses of this machine are allowed, for simulated printers (`PRINTER_SIMULATOR=1`). */
  allowsOwnMachine: boolean;
}

export class ForbiddenAddressError extends Error {
  readonly fault: PrintFault;

  constructor(fault: PrintFault) {
    super(fault);
    this.fault = fault;
  }
}

/**
 * Looks up `host:port` once, and returns the IP address to connect to. Throws `ForbiddenAddressError`, or Node's lookup
 * errors. A name is refused if any of its addresses is forbidden.
 */
export async function resolveAllowedAddress(
  address: string,
  reach: PrinterAddressPolicy,
  find: typeof lookup = lookup,
): Promise<{ host: string; port: number }> {
  const [, host = '', port = ''] = /^\[?([^\]]*)\]?:(\d+)$/.exec(address) ?? [];
  const found = ipaddr.isValid(host) ? [{ address: host }] : await findAll(host, find);
  for (const one of found) {
    const fault = faultOf(one.address, reach);
    if (fault !== null) throw new ForbiddenAddressError(fault);
  }
  const [first] = found;
  if (!first) throw new ForbiddenAddressError('address_unknown');
  return { host: ipaddr.process(first.address).toString(), port: Number(port) };
}

function findAll(host: string, find: typeof lookup): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    find(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}

/** The reason why the server may not connect to an address; null if it may. */
function faultOf(address: string, { allowsPrivate, allowsOwnMachine }: PrinterAddressPolicy): PrintFault | null {
  switch (ipaddr.process(address).range()) {
    case 'unicast':
      return null;
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      return allowsPrivate ? null : 'address_private';
    case 'loopback':
    case 'linkLocal':
      return allowsOwnMachine ? null : 'address_own_machine';
    default:
      return 'address_not_single';
  }
}

interface Line {
  readonly isClosed: boolean;
  /**
   * Whether the received bytes begin with text. A web server's response begins so, but a printer's status never does.
   */
  readonly isWordy: boolean;
  /** Resolves to true when the network has taken the bytes, or to false if the connection was lost first. */
  send(bytes: Uint8Array): Promise<boolean>;
  /**
   * Resolves to whether `isSo` became true within `milliseconds`. `isSo` is checked whenever bytes arrive, and at the
   * connection's end.
   */
  until(isSo: () => boolean, milliseconds: number): Promise<boolean>;
  /** Closes the connection after the pending bytes. */
  end(): void;
  /** Closes the connection at once and drops the pending bytes. */
  cut(): void;
}

/** The connection timeout (ms). */
const connectsWithin = 5_000;
/** The limit of received bytes per connection; a status has only a few. */
const maxHeard = 4096;

/**
 * Connects, and passes the printer's bytes to `hear`. Too many bytes, or an abort of `signal`, closes the connection.
 * Rejects if the connection fails.
 */
function openLine(
  { host, port }: { host: string; port: number },
  hear: (bytes: Buffer) => void,
  signal: AbortSignal,
): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal, noDelay: true });
    const tooLate = setTimeout(() => socket.destroy(new ConnectTimeoutError()), connectsWithin);
    const fail = (error: unknown) => {
      clearTimeout(tooLate);
      reject(error);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(tooLate);
      socket.off('error', fail);
      resolve(lineOn(socket, hear));
    });
  });
}

export class ConnectTimeoutError extends Error {
  readonly code = 'ETIMEDOUT';
}

function lineOn(socket: Socket, hear: (bytes: Buffer) => void): Line {
  const waiting = new Set<() => void>();
  let isClosed = false;
  let heard = 0;
  let first = '';
  const wake = () => {
    for (const look of waiting) look();
  };
  const close = () => {
    isClosed = true;
    wake();
  };
  socket.on('data', (bytes) => {
    heard += bytes.length;
    if (first.length < 8) first += (bytes as Buffer).toString('latin1');
    if (heard > maxHeard) socket.destroy();
    // The socket has no encoding, so it emits buffers.
    else hear(bytes as Buffer);
    wake();
  });
  // A printer that has closed its side of the connection sends no more answers.
  socket.on('end', close);
  socket.on('close', close);
  socket.on('error', close);
  return {
    get isClosed() {
      return isClosed;
    },
    get isWordy() {
      return /^[\x20-\x7e]{8}/.test(first);
    },
    send: (bytes) =>
      new Promise((resolve) => {
        if (isClosed) return resolve(false);
        const lost = () => resolve(false);
        socket.once('close', lost);
        socket.write(bytes, (error) => {
          socket.off('close', lost);
          resolve(!error);
        });
      }),
    until(isSo, milliseconds) {
      if (isSo() || isClosed) return Promise.resolve(isSo());
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(tooLate);
          waiting.delete(look);
          resolve(isSo());
        };
        const look = () => {
          if (isSo() || isClosed) done();
        };
        const tooLate = setTimeout(done, milliseconds);
        waiting.add(look);
      });
    },
    end() {
      socket.end();
      // The connection is destroyed after two seconds, because a printer that never closes its side would hold it open.
      setTimeout(() => socket.destroy(), 2_000).unref();
    },
    cut: () => void socket.destroy(),
  };
}
