import type { IncomingMessage } from 'node:http';
import { CLOSE, PROTOCOL_VERSIONS } from '#realtime/server/protocol.ts';

/** Why a socket is closed right after its handshake; browsers see only this code, never an HTTP status. */
export interface Refusal {
  code: number;
  reason: string;
}

/** The address of an upgrade request; null when it is not readable. */
export function readUrl(request: IncomingMessage): URL | null {
  return URL.parse(request.url ?? '', 'http://localhost');
}

/** The protocol owns every path under `/app`; other paths belong to other listeners. */
export function isProtocolPath(pathname: string): boolean {
  return pathname === '/app' || pathname.startsWith('/app/');
}

/** Checks path, key and version (codes 4001, 4005–4008). */
export function checkUrl(url: URL, key: string): Refusal | null {
  const wanted = /^\/app\/([^/]+)$/.exec(url.pathname)?.[1];
  if (wanted === undefined) return { code: CLOSE.pathNotFound, reason: 'Path not found' };
  if (wanted !== key) return { code: CLOSE.unknownKey, reason: 'Application does not exist' };

  const version = url.searchParams.get('protocol');
  if (version === null) return { code: CLOSE.missingVersion, reason: 'No protocol version supplied' };
  if (!/^\d+$/.test(version)) return { code: CLOSE.invalidVersion, reason: 'Invalid version string format' };
  if (PROTOCOL_VERSIONS.includes(Number(version))) return null;
  return { code: CLOSE.unsupportedVersion, reason: 'Unsupported protocol version' };
}

/**
 * Browsers send the page's origin and cannot change it; other clients send none and are let in. A page of the same host
 * is let in, and so is each origin of the list (`https://shop.example`); `*` allows every page.
 */
export function isOriginAllowed(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return true;
  return URL.parse(origin)?.host === host;
}
