import { pino, type Logger } from 'pino';
import type { Config } from '#config.ts';

/** One line a person can read on a terminal, JSON for machines in production. Secrets have no way in. */
export function createLog(config: Pick<Config, 'LOG_LEVEL' | 'isProduction'>, isTerminal: boolean): Logger {
  const options = {
    level: config.LOG_LEVEL,
    base: null,
    redact: ['req.headers', 'token', 'password', 'session', '*.token', '*.password', '*.session', 'contact', 'address'],
  };
  if (config.isProduction && !isTerminal) return pino(options);
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' } },
  });
}
