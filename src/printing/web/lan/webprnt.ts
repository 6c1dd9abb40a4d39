import { lanOrigin } from '#printing/lan-origin.ts';
import { type Condition, conditionOf, unknownCondition } from '#printing/protocols/condition.ts';
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
  const condition = conditionOfStatus(bytesOf(contentOf(text, 'status')));
  if (contentOf(text, 'success') === 'true') return { outcome: { kind: 'printed' }, condition };
  const code = contentOf(text, 'code').slice(0, 60);
  const fault = condition.fault ?? 'other';
  const trouble = { fault, ...(fault === 'other' && code !== '' && { detail: code }) };
  // A printer that stopped in the middle left a part on paper.
  return { outcome: { kind: 'unknown', ...trouble }, condition: { ...condition, detail: null, ...trouble } };
}

/** Star's automatic status, by its byte: the names are those of Star's own script. */
function conditionOfStatus(status: readonly number[]): Condition {
  if (status.length === 0) return unknownCondition;
  const has = (index: number, bit: number) => ((status[index] ?? 0) & bit) !== 0;
  return conditionOf({
    isCoverOpen: has(2, 0x20),
    isPaperOut: has(5, 0x08),
    isPaperLow: has(5, 0x04),
    cutter: has(3, 0x08),
    overheated: has(3, 0x40),
    broken: has(3, 0x20),
    isOffline: has(2, 0x08),
  });
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
