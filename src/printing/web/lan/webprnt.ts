import type { PrintFault } from '#ordering/print.ts';
import { lanOrigin } from '#printing/lan-origin.ts';
import type { LanAnswer, LanRequest } from '#printing/web/lan/lan-answer.ts';

/** A request that prints nothing: the printer answers with its state. */
export const emptyWebPrnt = '<root></root>';

/** A request for the WebPRNT service of a Star printer. It carries the document as text. */
export function webPrntRequest(address: string, document: string): LanRequest {
  return {
    url: `${lanOrigin(address)}/StarWebPRNT/SendMessage`,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: `<StarWebPrint xmlns="http://www.star-m.jp" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><Request>${escaped(document)}</Request></StarWebPrint>`,
  };
}

/** null: it is no answer of this service. */
export function readWebPrnt(xml: string): LanAnswer | null {
  const [, inner] = /<Response>([\s\S]*?)<\/Response>/.exec(xml) ?? [];
  if (inner === undefined) return null;
  const text = unescaped(inner);
  const isDone = contentOf(text, 'success') === 'true';
  const code = contentOf(text, 'code');
  const status = bytesOf(contentOf(text, 'status'));
  const has = (index: number, bit: number) => ((status[index] ?? 0) & bit) !== 0;
  const isCoverOpen = has(2, 0x20);
  const isPaperOut = has(5, 0x08);
  const reported = faultOf(has);
  const fault = reported ?? (isDone ? null : 'other');
  return {
    isDone,
    // Without a fault of its own it has not said why: some of it may be on paper.
    isDoubtful: !isDone && reported === null,
    condition: {
      fault,
      ...(fault === 'other' && code !== '' && { detail: code }),
      paper: isPaperOut ? 'out' : has(5, 0x04) ? 'low' : 'ok',
      cover: isCoverOpen ? 'open' : 'closed',
    },
  };
}

/** Bits of Star's automatic status, by its byte: the names are those of Star's own script. */
function faultOf(has: (index: number, bit: number) => boolean): PrintFault | null {
  if (has(2, 0x20)) return 'cover_open';
  if (has(5, 0x08)) return 'paper_out';
  if (has(3, 0x08)) return 'cutter';
  if (has(3, 0x40)) return 'overheated';
  if (has(3, 0x20)) return 'other';
  return has(2, 0x08) ? 'offline' : null;
}

function bytesOf(hex: string): number[] {
  return (hex.replaceAll(/\s/g, '').match(/[\da-f]{2}/gi) ?? []).map((byte) => Number.parseInt(byte, 16));
}

function contentOf(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.trim() ?? '';
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescaped(text: string): string {
  return text
    .replaceAll(/<!\[CDATA\[|\]\]>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
