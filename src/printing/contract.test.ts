import { expect, test } from 'vitest';
import { parsePrinterAddress } from '#printing/contract.ts';

test.each([
  ['network', '192.168.1.40', '192.168.1.40:9100'],
  ['network', 'Printer.LAN:9101', 'printer.lan:9101'],
  ['network', '[fe80::1]:9100', '[fe80::1]:9100'],
  ['browser', '192.168.1.40', '192.168.1.40:80'],
  ['browser', '192.168.1.40:443', '192.168.1.40:443'],
  ['system', 'Star_TSP143', 'Star_TSP143'],
  ['star_cloudprnt', '', ''],
  ['epson_sdp', '', ''],
] as const)('of a %s printer, %j is kept as %j', (kind, typed, address) => {
  expect(parsePrinterAddress(kind, typed)).toEqual({ address });
});

test.each([
  ['network', ''],
  ['network', 'http://192.168.1.40'],
  ['network', '192.168.1.40:0'],
  ['network', '192.168.1.40:65536'],
  ['network', '192.168.1.40/status'],
  ['network', 'user@192.168.1.40'],
  ['network', 'two words'],
  ['browser', '-host'],
  ['system', ''],
  ['system', '-o raw'],
  ['system', '-d'],
  ['system', '../etc/passwd'],
  ['system', 'a;b'],
  ['star_cloudprnt', '192.168.1.40'],
] as const)('of a %s printer, %j is refused in words', (kind, typed) => {
  expect(parsePrinterAddress(kind, typed)).toEqual({ problem: expect.stringMatching(/\.$/) });
});
