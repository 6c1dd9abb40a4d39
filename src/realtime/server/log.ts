type Write = (details: object, message: string) => void;

/** The part of a logger that realtime needs; any pino logger fits. */
export interface RealtimeLog {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}
