import { AsyncLocalStorage } from 'node:async_hooks';

/** The trace of a request by the W3C's Trace Context, which connects its log lines with those of proxies. */
export interface Trace {
  traceId: string;
  /** The id of this server's part of the trace. */
  spanId: string;
  isSampled: boolean;
}

/** A `traceparent` of version 00 or later; later versions may add fields at the end. */
const format = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** The trace that a request's header `traceparent` names, or else a new one made of the request's id, a UUID. */
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

export function traceParent({ traceId, spanId, isSampled }: Trace): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

const current = new AsyncLocalStorage<Trace>();

/** Runs `work` in a trace: every log line that `work` causes in this process, even later, has the trace. */
export function runInTrace<T>(trace: Trace, work: () => T): T {
  return current.run(trace, work);
}

export function traceFields(): { trace_id?: string } {
  const trace = current.getStore();
  return trace ? { trace_id: trace.traceId } : {};
}
