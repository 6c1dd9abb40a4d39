import { SMTPServer } from 'smtp-server';

/** A mail as its receiver gets it. */
export interface ReceivedMail {
  to: string[];
  /** Who sent it; empty without a password. */
  user: string;
  subject: string;
  id: string;
  /** Every header, by its name in small letters. */
  headers: Record<string, string>;
  text: string;
  html: string;
  /** The logo inside it. */
  picture?: { id: string; bytes: Buffer } | undefined;
}

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** The answer to the next mails before the server accepts them; unknown receivers are always refused. */
  refusals: { data: string[]; unknown: Set<string> };
  stop(): Promise<void>;
}

/** A real SMTP server on a free port, which keeps the mails that it gets. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const refusals: MailServer['refusals'] = { data: [], unknown: new Set() };
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? '' }),
    onRcptTo({ address }, _session, done) {
      if (!refusals.unknown.has(address)) return done();
      done(Object.assign(new Error(`5.1.1 <${address}> is nobody`), { responseCode: 550 }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refusal = refusals.data.shift();
        if (refusal)
          return done(Object.assign(new Error(refusal), { responseCode: refusal.startsWith('5') ? 550 : 451 }));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, user: String(session.user ?? ''), ...readMail(Buffer.concat(chunks).toString('latin1')) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const address = smtp.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refusals,
    stop: () => new Promise((resolve) => smtp.close(resolve)),
  };
}

function readMail(source: string): Omit<ReceivedMail, 'to' | 'user'> {
  const { headers, body } = splitPart(source);
  const parts = leavesOf({ headers, body });
  const partOf = (type: string) => parts.find((each) => each.headers['content-type']?.startsWith(type));
  const bodyOf = (type: string) => {
    const part = partOf(type);
    return part ? decode(part.body, part.headers['content-transfer-encoding'] ?? '').replaceAll('\r\n', '\n') : '';
  };
  const picture = partOf('image/png');
  return {
    subject: decodeWords(headers['subject'] ?? ''),
    id: headers['message-id'] ?? '',
    headers,
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
    picture: picture && {
      id: picture.headers['content-id'] ?? '',
      bytes: Buffer.from(picture.body.replaceAll(/\s/g, ''), 'base64'),
    },
  };
}

interface Part {
  headers: Record<string, string>;
  body: string;
}

/** The parts that have no parts themselves (RFC 2046). */
function leavesOf(part: Part): Part[] {
  const boundary = /boundary="([^"]+)"/.exec(part.headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return [part];
  return part.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((inner) => leavesOf(splitPart(inner)));
}

function splitPart(part: string): Part {
  const whole = part.replace(/^\r\n/, '');
  const end = whole.indexOf('\r\n\r\n');
  const head = whole.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  const headers = head.split('\r\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { headers: Object.fromEntries(headers), body: whole.slice(end + 4) };
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString();
  return fromHex(body.replaceAll('=\r\n', ''));
}

function fromHex(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

/** Decodes the encoded words of a header (RFC 2047). */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString() : fromHex(word.replaceAll('_', ' ')),
    );
}
