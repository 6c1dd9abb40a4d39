import { AsyncLocalStorage } from 'node:async_hooks';

/** A request as a part of all the work, at proxies too, for one visitor; as the W3C's Trace Context has it. */
export interface Trace {
  traceId: string;
  /** Of this server's own part. */
  spanId: string;
  isSampled: boolean;
}

/** Version 00, and later ones, which may have more fields behind. */
const format = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** Of a request with this id, a UUID: a new trace unless `header`, its `traceparent`, names one. */
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

/** Everything that `work` causes in this process, later too, logs the trace. */
export function inTrace<T>(trace: Trace, work: () => T): T {
  return current.run(trace, work);
}

/** For each line of the log. */
export function traceFields(): { trace_id?: string } {
  const trace = current.getStore();
  return trace ? { trace_id: trace.traceId } : {};
}
