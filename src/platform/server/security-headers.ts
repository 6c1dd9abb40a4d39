import type { Clients, Received } from '#platform/server/client-address.ts';

/**
 * The permissions of pages: features that pages need but no frame of theirs may use, and features that they never need.
 * Pages may send requests to the shop's own network by default, and browsers disagree on that feature's name.
 */
const permissions = [
  ...['screen-wake-lock', 'publickey-credentials-get', 'publickey-credentials-create', 'camera'].map(
    (name) => `${name}=(self)`,
  ),
  ...['accelerometer', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer', 'microphone', 'midi'].map(
    (name) => `${name}=()`,
  ),
  ...['hid', 'payment', 'serial', 'usb', 'xr-spatial-tracking'].map((name) => `${name}=()`),
].join(', ');

const everywhere = {
  'x-content-type-options': 'nosniff',
  /** Other sites learn where a visitor came from, and never which page. */
  'referrer-policy': 'strict-origin-when-cross-origin',
};
/** Pages of other origins, such as those in the Android app, may load these. */
const open = { ...everywhere, 'cross-origin-resource-policy': 'cross-origin' };
const own = { ...everywhere, 'cross-origin-resource-policy': 'same-origin' };
const data = { ...open, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" };
const picture = { ...open, 'content-security-policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'" };
const page = { ...own, 'cross-origin-opener-policy': 'same-origin', 'permissions-policy': permissions };

const isCall = /^\/((v1|broadcasting|pusher|apps)\/|(health|live)([/?]|$))/;
const isFile = /^\/(assets|share|app-icon)\/|^\/(share\.jpg|favicon\.ico)/;

/** The headers of every answer at this address, for browsers; a route may set others instead. */
export function securityHeaders(url: string): Readonly<Record<string, string>> {
  if (isCall.test(url)) return data;
  if (url.startsWith('/pictures/')) return picture;
  return url.startsWith('/uploads/') || isFile.test(url) ? open : page;
}

/** Of an error in JSON, at any address. */
export const refusalHeaders = { ...data, 'cache-control': 'no-store' };

/** An answer that is for its caller only: whatever the API says, unless a route says that everybody may have it. */
export function isPrivateByDefault(url: string): boolean {
  return isCall.test(url);
}

/** For a year. Without `includeSubDomains`: the owner's other sites may have no certificate. */
export const strictTransport = 'max-age=31536000';

/** Whether the caller's connection is encrypted, up to this server or to a proxy that is trusted to say so. */
export function isEncrypted(
  clients: Clients,
  { socket, headers }: Received & { socket: { encrypted?: boolean } },
): boolean {
  if (socket.encrypted) return true;
  return headers['x-forwarded-proto'] === 'https' && clients.isTrusted(socket.remoteAddress ?? '');
}
