import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { logOptions } from '#platform/server/log.ts';
import { bareHttpApp } from '#platform/testing/bare-http-app.ts';
import { traceOf, formatTraceParent } from '#platform/server/trace.ts';

const requestId = '0197a1b2-c3d4-4e5f-8a1b-2c3d4e5f6a7b';
const own = requestId.replaceAll('-', '');
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';

test.each([
  ['is taken over', `00-${trace}-${span}-01`, trace, true],
  ['with other flags is taken over', `00-${trace}-${span}-02`, trace, false],
  ['of a later version is taken over', `01-${trace}-${span}-01-more`, trace, true],
  ['with more than its version has is not', `00-${trace}-${span}-01-more`, own, false],
  ['of version ff is not', `ff-${trace}-${span}-01`, own, false],
  ['in capitals is not', `00-${trace.toUpperCase()}-${span}-01`, own, false],
  ['of zeros is not', `00-${'0'.repeat(32)}-${span}-01`, own, false],
  ['with a parent of zeros is not', `00-${trace}-${'0'.repeat(16)}-01`, own, false],
  ['with a line break is not', `00-${trace}-${span}-01\n`, own, false],
  ['that is too short is not', `00-${trace.slice(1)}-${span}-01`, own, false],
  ['with a text instead is not', 'Ada Byron', own, false],
  ['that is missing begins one', undefined, own, false],
])('a traceparent %s', (_what, header, traceId, isSampled) => {
  expect(traceOf(requestId, header)).toEqual({ traceId, spanId: own.slice(16), isSampled });
});

test('the answer names the trace and this server’s own part of it', () => {
  expect(formatTraceParent(traceOf(requestId, `00-${trace}-${span}-01`))).toBe(`00-${trace}-${own.slice(16)}-01`);
});

test('a trace goes from the request to the lines of the log, those of its work too, and to the answer', async () => {
  const lines: string[] = [];
  const log = pino(logOptions('info'), { write: (line) => void lines.push(line) });
  const http = bareHttpApp({ log });
  onTestFinished(() => http.close());
  http.get('/work', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    log.warn('caused by it');
    return {};
  });
  http.get('/other', () => ({}));
  const url = await http.listen({ port: 0, host: '127.0.0.1' });
  const answer = await fetch(`${url}/work`, { headers: { traceparent: `00-${trace}-${span}-01` } });
  const other = await fetch(`${url}/other`);
  expect(answer.headers.get('traceparent')).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
  expect(answer.headers.get('traceparent')).not.toContain(span);
  await vi.waitFor(() => expect(lines.filter((line) => line.includes('"answered"'))).toHaveLength(2));
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const ofTrace = parsed.filter((line) => line['trace_id'] === trace).map((line) => line['msg']);
  expect(ofTrace).toEqual(['caused by it', 'answered']);
  const [, otherId] = (other.headers.get('traceparent') ?? '').split('-');
  expect(parsed.find(({ route }) => route === '/other')?.['trace_id']).toBe(otherId);
  // Once in each line.
  expect(lines.find((line) => line.includes(trace))?.match(/trace_id/g)).toHaveLength(1);
});
