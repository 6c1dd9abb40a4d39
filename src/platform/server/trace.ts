import { AsyncLocalStorage } from 'node:async_hooks';

/** A request's trace by W3C Trace Context, which connects its log lines with those of proxies. */
export interface Trace {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Matches a `traceparent` of version 00 or later; later versions may append fields. */
const format = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** The trace in a request's `traceparent` header, or else a new trace with the request's UUID as its id. */
export function traceOf(requestId: string, header: unknown): Trace {
  const own = requestId.replaceAll('-', '');
  const spanId = own.slice(16);
  const [given = '', traceId = '', parentId = '', flags = ''] =
    (typeof header === 'string' && format.exec(header)) || [];
  const isUsable =
    /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(parentId) && !(given.startsWith('00-') && given.length > 55);
  if (!isUsable) return { traceId: own, spanId, isSampled: false };
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceParent({ traceId, spanId, isSampled }: Trace): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

const current = new AsyncLocalStorage<Trace>();

/**
 * Runs `work` in a trace. Every log line that `work` causes in this process, even after it has ended, contains the
 * trace.
 */
export function runInTrace<T>(trace: Trace, work: () => T): T {
  return current.run(trace, work);
}

export function traceFields(): { trace_id?: string } {
  const trace = current.getStore();
  return trace ? { trace_id: trace.traceId } : {};
}
