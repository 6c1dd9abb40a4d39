import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PrintJobFormat, PrinterKind } from './decode/decode.ts';
import { createRoll, type PaperRoll } from './paper-roll.ts';
import { createFaults, type Faults } from './poller.ts';

export type TcpFault =
  /** It takes the connection and says nothing, as over a half-open line. */
  | 'silent'
  /** The connection breaks before a job, in its middle, or after it was printed and before that was said. */
  | 'breaks_before'
  | 'breaks_amid'
  | 'breaks_after'
  /** It prints, and says so nowhere on that line, though it answers questions. */
  | 'fence_lost'
  /** The power goes once it has printed: the line stays open, and nobody answers. */
  | 'goes_dark'
  /** The paper ends in the middle; it says so. */
  | 'paper_ends';

export interface TcpPrinter extends PaperRoll {
  port: number;
  failNext(fault: TcpFault): void;
  /** Real-time commands that do something, found anywhere in what was sent: as strict as the strictest printer. */
  accidents: string[];
  stop(): Promise<void>;
}

/** How a printer's language looks on the line. */
export interface Wire {
  /** The length of the command that begins at `at`; null: it is not all there yet. */
  lengthAt(bytes: Buffer, at: number): number | null;
  /** What a command is, besides something to print. */
  meaningOf(command: Buffer): 'end of paper' | 'fence' | 'automatic status' | 'nothing' | null;
  /**
   * Requests to be answered as they arrive, in order, whatever is printed. `rest`: what may be the beginning of another
   * one.
   */
  findRequests(bytes: Buffer): { answers: ((roll: PaperRoll) => Buffer)[]; rest: Buffer; accidents: string[] };
  answerFence(command: Buffer, roll: PaperRoll): Buffer;
  status(roll: PaperRoll): Buffer;
  format: PrintJobFormat;
}

export interface TcpOptions extends PrinterKind {
  /** By default any port of 127.0.0.1. */
  host?: string;
  port?: number;
  /** It serves one sender at a time; others wait for an answer. */
  isSingle?: boolean;
  /** Milliseconds that a paper takes. */
  printsFor?: number;
}

/** A printer that listens for raw jobs, on port 9100 as a rule. */
export async function startTcpPrinter(wire: Wire, options: TcpOptions): Promise<TcpPrinter> {
  const roll = createRoll(options);
  const faults = createFaults<TcpFault>();
  const sessions: Session[] = [];
  const accidents: string[] = [];
  const inside: Inside = { wire, roll, faults, printsFor: options.printsFor ?? 0 };

  const isServed = (session: Session) => !options.isSingle || sessions[0] === session;
  const hear = (session: Session) => {
    if (!isServed(session) || session.isSilent) return;
    const found = wire.findRequests(session.ahead);
    session.ahead = found.rest;
    accidents.push(...found.accidents);
    for (const answer of found.answers) say(session, answer(roll));
    void work(inside, session);
  };
  const server = createServer((socket) => {
    const session: Session = { ...newSession(), socket, isSilent: faults.take('silent') !== null };
    sessions.push(session);
    if (faults.take('breaks_before')) socket.destroy();
    socket.on('data', (bytes) => {
      // No encoding is set.
      session.unread = Buffer.concat([session.unread, bytes as Buffer]);
      session.ahead = Buffer.concat([session.ahead, bytes as Buffer]);
      hear(session);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      sessions.splice(sessions.indexOf(session), 1);
      const [next] = sessions;
      if (next && options.isSingle) hear(next);
    });
  });
  roll.onChange(() => {
    for (const session of sessions.filter((one) => isServed(one) && !one.isSilent)) {
      if (session.hasAutomaticStatus) say(session, wire.status(roll));
      if (roll.canPrint) void work(inside, session);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const address = server.address();
  return Object.assign(roll, {
    port: typeof address === 'object' && address ? address.port : 0,
    accidents,
    failNext: faults.failNext,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const { socket } of sessions) socket.destroy();
      await closed;
    },
  });
}

interface Session {
  socket: Socket;
  unread: Buffer;
  /** Looked through for requests apart from what is printed. */
  ahead: Buffer;
  /** Commands of the paper that is being printed. */
  paper: Buffer[];
  isBusy: boolean;
  hasAutomaticStatus: boolean;
  isSilent: boolean;
  /** It answers no fence any more. */
  isMute: boolean;
}

interface Inside {
  wire: Wire;
  roll: PaperRoll;
  faults: Faults<TcpFault>;
  printsFor: number;
}

function newSession(): Omit<Session, 'socket' | 'isSilent'> {
  const nothing = Buffer.alloc(0);
  return { unread: nothing, ahead: nothing, paper: [], isBusy: false, hasAutomaticStatus: false, isMute: false };
}

function say(session: Session, bytes: Buffer): void {
  if (bytes.length > 0 && !session.isSilent && !session.socket.destroyed) session.socket.write(bytes);
}

/** Does what has arrived, command by command, until it lacks something. */
async function work(inside: Inside, session: Session): Promise<void> {
  if (session.isBusy) return;
  session.isBusy = true;
  const { wire, roll, faults } = inside;
  while (roll.canPrint) {
    const length = wire.lengthAt(session.unread, 0);
    if (length === null) break;
    const command = session.unread.subarray(0, length);
    session.unread = session.unread.subarray(length);
    const meaning = wire.meaningOf(command);
    if (meaning === 'automatic status') {
      session.hasAutomaticStatus = true;
      say(session, wire.status(roll));
    } else if (meaning === 'fence') {
      // A pulse for the drawer needs no paper, and no cut.
      await roll.print(Buffer.concat(session.paper.splice(0)), wire.format);
      session.isMute ||= faults.take('fence_lost') !== null;
      if (!session.isMute) say(session, wire.answerFence(command, roll));
    } else if (meaning !== 'nothing') {
      session.paper.push(command);
      if (meaning === 'end of paper') await endPaper(inside, session);
    }
  }
  session.isBusy = false;
}

async function endPaper({ wire, roll, faults, printsFor }: Inside, session: Session): Promise<void> {
  const bytes = Buffer.concat(session.paper.splice(0));
  if (faults.take('breaks_amid')) return void session.socket.destroy();
  if (printsFor > 0) await sleep(printsFor);
  const isWhole = !faults.take('paper_ends');
  await roll.print(bytes, wire.format, isWhole);
  if (!isWhole) {
    // The rest is forgotten: a cook who refills switches it off and on.
    session.unread = Buffer.alloc(0);
    roll.runOutOfPaper();
  }
  if (faults.take('breaks_after')) session.socket.destroy();
  if (faults.take('goes_dark')) session.isSilent = true;
}
