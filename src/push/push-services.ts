/** The hosts of the browser vendors' push services; a leading dot includes all subdomains. */
const vendors = [
  // Chrome, Edge on Android, Opera, Samsung Internet, Brave.
  'fcm.googleapis.com',
  // Firefox.
  '.push.services.mozilla.com',
  // Edge on Windows.
  '.notify.windows.com',
  // Safari, and every browser of an iPhone.
  'web.push.apple.com',
  '.push.apple.com',
];

/**
 * Whether push messages may be sent to an address. Browsers send the address, so without this check strangers could
 * make the server call addresses in this network. `testOrigin`: a further origin for tests.
 */
export function isPushService(endpoint: string, testOrigin?: string): boolean {
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
  if (url.origin === testOrigin) return true;
  return (
    url.port === '' &&
    vendors.some((host) => (host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host))
  );
}
