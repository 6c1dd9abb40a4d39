/**
 * Only our own scripts. Styles may be inline: the first view's are, and so are the office's. `host` is the host of the
 * request; an invalid host is left out. `devices` are the origins of printers that the page sends to.
 */
export function contentPolicy(
  config: { API_URL?: string | undefined; APP_URL?: string | undefined; MAP_TILES_URL?: string | undefined },
  host: string,
  devices: readonly string[] = [],
): string {
  const api = config.API_URL ? new URL(config.API_URL).origin : '';
  const maps = config.MAP_TILES_URL?.startsWith('http:') ? new URL(config.MAP_TILES_URL).origin : '';
  return [
    "default-src 'self'",
    `img-src 'self' data: blob: https: ${maps}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    ["connect-src 'self'", api, ...socketsOf(config, host), ...devices].filter(Boolean).join(' '),
    // Large spreadsheets are packed in a worker that the library creates from its own code.
    "worker-src 'self' blob:",
    // Forms are sent by scripts, and payment and sign-in elsewhere are links.
    "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    // The menu editor shows the menu on a phone's width.
    "frame-ancestors 'self'",
  ].join('; ');
}

/** Not every browser takes 'self' for sockets, and behind a proxy the request's host may be another than the page's. */
function socketsOf(
  { API_URL, APP_URL }: { API_URL?: string | undefined; APP_URL?: string | undefined },
  host: string,
): string[] {
  const own = /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/i.test(host) ? [host] : [];
  const configured = [APP_URL, API_URL].flatMap((url) => (url ? [new URL(url).host] : []));
  return [...new Set([...own, ...configured])].flatMap((each) => [`ws://${each}`, `wss://${each}`]);
}
