import { connect } from 'node:net';

interface Job {
  host: string;
  port: number;
  /** Base64. */
  content: string;
  reply: number;
}

interface Outcome {
  status: 'sent' | 'failed' | 'unknown';
  detail: string;
  said: string;
}

/**
 * Prints as the Android app does (PrintLine.java): sends everything, and waits for so many bytes, or the end of the
 * line.
 */
export const appPrintLine = ({ host, port, content, reply }: Job): Promise<Outcome> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const said: Buffer[] = [];
    const heard = () => Buffer.concat(said).subarray(0, reply);
    let hasBegun = false;
    const end = () => {
      resolve({ status: 'sent', detail: '', said: heard().toString('base64') });
      socket.destroy();
    };
    socket.setTimeout(1_000, () => socket.destroy(new Error('Read timed out')));
    socket.on('connect', () => {
      hasBegun = true;
      socket.write(Buffer.from(content, 'base64'));
    });
    socket.on('data', (bytes) => {
      // No encoding is set.
      said.push(bytes as Buffer);
      if (heard().length === reply) end();
    });
    socket.on('end', end);
    socket.on('error', ({ message }) => {
      resolve({ status: hasBegun ? 'unknown' : 'failed', detail: message, said: '' });
    });
  });
