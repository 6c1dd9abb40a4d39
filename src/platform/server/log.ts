import { traceFields } from '#platform/server/trace.ts';
import { pino, type Logger, type LoggerOptions } from 'pino';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Creates the log: JSON in production without a terminal, otherwise readable text. Secrets are redacted. */
export function createLog(config: { LOG_LEVEL: LogLevel; isProduction: boolean }, isTerminal: boolean): Logger {
  const options = logOptions(config.LOG_LEVEL);
  if (config.isProduction && !isTerminal) return pino(options);
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' } },
  });
}

/**
 * Writes startup lines without redaction, because they may contain a password. In production without a terminal they
 * are JSON log lines, otherwise plain text.
 */
export function writeStartLines(
  lines: readonly string[],
  stream: NodeJS.WriteStream,
  { isProduction, level = 30 }: { isProduction: boolean; level?: 30 | 60 },
): void {
  const isJson = isProduction && !stream.isTTY;
  const written = isJson ? lines.filter((line) => line !== '') : lines;
  for (const line of written) {
    stream.write(`${isJson ? JSON.stringify({ level, time: Date.now(), msg: line.trim() }) : line}\n`);
  }
}

export function logOptions(level: LogLevel): LoggerOptions {
  return {
    level,
    base: null,
    // The logger of a request already writes the trace of that request.
    mixin: (_line, _level, log) => ('isTraced' in log ? {} : traceFields()),
    serializers: { err: describeError },
    hooks: { streamWrite: redactContacts },
    redact: [
      'req.headers',
      'token',
      'password',
      'session',
      'replaces',
      'secret_key',
      '*.token',
      '*.password',
      '*.session',
      '*.replaces',
      '*.secret_key',
      'contact',
      'address',
    ],
  };
}

/**
 * Redacts contacts and link tokens in a text or JSON line. These are email addresses, phone numbers that begin with 0
 * or +, British postcodes, and the parts of URLs after `?` or `#`.
 */
export function redactContacts(text: string): string {
  return text.replaceAll(contacts, (_found, escape?: string, address?: string) => escape ?? address ?? '…');
}

/** Matches a position where a word may begin. The letter of a JSON escape belongs to no word. */
const begins = String.raw`(?<!(?<!\\)[\p{L}\p{N}])`;

/** The first alternative skips whole JSON escapes. Limited lengths keep the time linear. */
const contacts = new RegExp(
  [
    String.raw`(\\.)`,
    String.raw`${begins}(https?:\/\/[^\s"'<>\\?#]{1,2000})[?#][^\s"'<>\\]*`,
    String.raw`[\p{L}\p{N}._%+'-]{1,64}@[\p{L}\p{N}][\p{L}\p{N}.-]{0,255}`,
    // The lookahead excludes UUIDs and trace ids, which may begin like a phone number.
    String.raw`${begins}(?<![.:-])(?![\da-f]{8}-[\da-f]{4}-|[\da-f]{32}\b)(?:\+\d|\(?0\d)(?:[ ().-]{0,2}\d){7,13}(?!\d)`,
    String.raw`${begins}[A-Za-z]{1,2}\d[A-Za-z\d]? \d[A-Za-z]{2}(?![\p{L}\p{N}])`,
  ].join('|'),
  'gu',
);

/** The logged fields of an error. The database's detail and hint are left out, because they quote rows with names. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  return { type: error.name, message: error.message, ...(code !== undefined && { code }), stack: error.stack };
}

export function crashMessage(error: unknown): string {
  if (!(error instanceof Error)) return redactContacts(String(error));
  const own = redactContacts(error.stack ?? error.message);
  return error.cause === undefined ? own : `${own}\nCause: ${crashMessage(error.cause)}`;
}
