import { expect, test } from 'vitest';
import { jobBytes, outcomeOf } from '#office/web/tablet/printer-words.ts';

const xml = 'text/xml; charset=utf-8';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const epos = base64(
  '<epos-print xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print"><command>1b40c3</command></epos-print>',
);
const said = (text: string) => ({ status: 'sent' as const, detail: '', said: base64(text) });

test('a document of Epson goes to its service over HTTP', () => {
  const job = jobBytes(xml, epos, { host: '192.168.1.40', port: 80 });
  const [head = '', body = ''] = Buffer.from(job?.content ?? '', 'base64')
    .toString()
    .split('\r\n\r\n');
  expect(job?.protocol).toBe('epos');
  expect(head).toMatch(
    /^POST \/cgi-bin\/epos\/service\.cgi\?devid=local_printer&timeout=10000 HTTP\/1\.1\r\nHost: 192\.168\.1\.40:80\r\n/,
  );
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  expect(body).toContain('<s:Body><epos-print');
});

test('its commands go as they are to a port for commands, with a question behind them', () => {
  const job = jobBytes(xml, epos, { host: '192.168.1.40', port: 9100 });
  expect(job).toMatchObject({ protocol: 'raw', reply: 1 });
  expect([...Buffer.from(job?.content ?? '', 'base64')]).toEqual([0x1b, 0x40, 0xc3, 0x1d, 0x72, 0x01]);
});

test("a document of Star is a request of WebPRNT's", () => {
  const job = jobBytes(xml, base64('<root><rawdata>G0A=</rawdata></root>'), { host: 'p', port: 80 });
  expect(Buffer.from(job?.content ?? '', 'base64').toString()).toContain('<Request>&lt;root&gt;&lt;rawdata&gt;G0A=');
});

test.each([
  ['image/png', epos, 80],
  [xml, base64('<html/>'), 80],
  [xml, base64('<root/>'), 9100],
])('%s, %s at port %i cannot be sent', (type, content, port) => {
  expect(jobBytes(type, content, { host: 'p', port })).toBeNull();
});

test.each([
  ['epos', 'HTTP/1.1 200 OK\r\n\r\n<response success="true" code="" status="1"/>', 'printed', undefined],
  ['epos', 'HTTP/1.1 200 OK\r\n\r\n<response success="false" code="EPTR_REC_EMPTY"/>', 'failed', 'paper_out'],
  ['epos', 'HTTP/1.1 404 Not Found\r\n\r\n', 'failed', 'other'],
  ['webprnt', 'HTTP/1.1 200 OK\r\n\r\n&lt;success&gt;true&lt;/success&gt;', 'printed', undefined],
  ['raw', '\0', 'printed', undefined],
  ['raw', '\x0c', 'unknown', 'paper_out'],
  ['raw', '', 'unknown', undefined],
] as const)('%s: %j means %s', (protocol, text, status, fault) => {
  const outcome = outcomeOf(said(text), protocol);
  expect([outcome.status, outcome.fault]).toEqual([status, fault]);
});

test('what never left is failed, and what may have left is unknown', () => {
  expect(outcomeOf({ status: 'failed', detail: 'refused', said: '' }, 'raw').status).toBe('failed');
  expect(outcomeOf({ status: 'unknown', detail: 'reset', said: '' }, 'epos').status).toBe('unknown');
});
