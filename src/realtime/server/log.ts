type Write = (details: object, message: string) => void;

/** Any pino logger fits. */
export interface RealtimeLog {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}
