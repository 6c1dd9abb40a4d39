import { connect, type Socket } from 'node:net';

/** A connection to a printer. */
export interface Line {
  readonly isClosed: boolean;
  /** The answer begins with words, as no printer's status does: a web server answers so, for example. */
  readonly isWordy: boolean;
  /** Resolves once the network has taken the bytes; false: the line was lost before. */
  send(bytes: Uint8Array): Promise<boolean>;
  /** Whether `isSo` becomes true within so many milliseconds; it is asked again whenever something is heard, or the line ends. */
  until(isSo: () => boolean, milliseconds: number): Promise<boolean>;
  /** Ends it after the bytes that wait. */
  end(): void;
  /** Ends it at once, without the bytes that wait. */
  cut(): void;
}

/** Milliseconds in which a printer must take a connection. */
const connectsWithin = 5_000;
/** Bytes that a printer may say in one conversation: its answers have a few each. */
const mostHeard = 4096;

/**
 * Connects, and calls `hear` with the printer's bytes. A printer that says too much is cut off. `signal` cuts the line.
 * Rejects if no connection comes about.
 */
export function openLine(
  { host, port }: { host: string; port: number },
  hear: (bytes: Buffer) => void,
  signal: AbortSignal,
): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal, noDelay: true });
    const tooLate = setTimeout(() => socket.destroy(new NoConnection()), connectsWithin);
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

export class NoConnection extends Error {
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
    if (heard > mostHeard) socket.destroy();
    // No encoding is set.
    else hear(bytes as Buffer);
    wake();
  });
  // A printer that has closed its side answers nothing any more.
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
      // One that never closes its side would keep it for good.
      setTimeout(() => socket.destroy(), 2_000).unref();
    },
    cut: () => void socket.destroy(),
  };
}
