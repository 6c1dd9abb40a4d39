import { ApiError } from '#platform/web/api.ts';

/** The content of a tablet's code: the shop, and a code that works once. */
export interface TabletCode {
  shop: string;
  code: string;
}

export interface SignedTablet {
  token: string;
  storeId: string;
}

const codeForm = /^[A-HJ-NP-Z2-9]{8}$/;

/** Of the QR code in the office, `https://shop/app/device#XXXXXXXX`; null where it is another code. */
export function readTabletCode(text: string): TabletCode | null {
  const url = URL.parse(text.trim());
  if (!url || !/\/app\/device\/?$/.test(url.pathname)) return null;
  return typedCode(url.href, url.hash.slice(1));
}

/** From typed texts: the shop's address with or without its scheme, and the code with or without its dash. */
export function typedCode(address: string, code: string): TabletCode | null {
  const shop = shopOf(address);
  const plain = code.replaceAll(/[\s-]/g, '').toUpperCase();
  return shop !== null && codeForm.test(plain) ? { shop, code: plain } : null;
}

/** The origin of a shop: https, or this machine for a shop that is being worked on. */
export function shopOf(address: string): string | null {
  const typed = address.trim();
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`);
  if (!url || url.username !== '' || url.password !== '') return null;
  const isLocal = url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname);
  const hasName = isLocal || /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(url.hostname);
  return hasName && (url.protocol === 'https:' || isLocal) ? url.origin : null;
}

/** Signs the tablet in. Throws ApiError: before it, no page knows the shop that the API's calls go to. */
export async function signInTablet({ shop, code }: TabletCode): Promise<SignedTablet> {
  const response = await fetch(`${shop}/v1/devices/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ code, kind: 'tablet' }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => {
    throw new ApiError(0, { code: 'offline' });
  });
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (!response.ok) throw new ApiError(response.status, body);
  const { token, device } = (body['data'] ?? {}) as { token?: unknown; device?: { store_id?: unknown } };
  if (typeof token !== 'string' || typeof device?.store_id !== 'string') throw new ApiError(response.status, {});
  return { token, storeId: device.store_id };
}
