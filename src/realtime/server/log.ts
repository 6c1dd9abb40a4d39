type Write = (details: object, message: string) => void;

export interface RealtimeLog {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}
