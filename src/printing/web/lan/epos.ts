import { lanOrigin } from '#printing/lan-origin.ts';
import { conditionAfter, outcomeOf, readEpsonResponse } from '#printing/protocols/epson-answer.ts';
import type { LanAnswer, LanRequest } from '#printing/web/lan/lan-answer.ts';

/** A document for the ePOS-Print service of an Epson printer. */
export function eposRequest(address: string, document: string): LanRequest {
  return {
    url: `${lanOrigin(address)}/cgi-bin/epos/service.cgi?devid=local_printer&timeout=10000`,
    headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' },
    body: `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${document}</s:Body></s:Envelope>`,
  };
}

/** null: it is no answer of this service. */
export function readEpos(xml: string): LanAnswer | null {
  const response = readEpsonResponse(xml);
  return response && { outcome: outcomeOf(response), condition: conditionAfter(response) };
}
