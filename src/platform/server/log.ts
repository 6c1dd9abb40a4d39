import { pino, type Logger, type LoggerOptions } from 'pino';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Readable lines on a terminal, JSON in production. Secrets are never logged. */
export function createLog(config: { LOG_LEVEL: LogLevel; isProduction: boolean }, isTerminal: boolean): Logger {
  const options = logOptions(config.LOG_LEVEL);
  if (config.isProduction && !isTerminal) return pino(options);
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' } },
  });
}

/** Common to both: the fields that are left out of every line. */
export function logOptions(level: LogLevel): LoggerOptions {
  return {
    level,
    base: null,
    serializers: { err: describeError },
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

/** Without the database's detail and hint: they quote whole rows, including names and addresses. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  return { type: error.name, message: error.message, ...(code !== undefined && { code }), stack: error.stack };
}
