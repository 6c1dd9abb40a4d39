/** The hosts of the browser vendors' push services; a leading dot includes all subdomains. */
const vendors = [
  // The push service of Chrome, Edge on Android, Opera, Samsung Internet and Brave.
  'fcm.googleapis.com',
  // Firefox's push service.
  '.push.services.mozilla.com',
  // The push service of Edge on Windows.
  '.notify.windows.com',
  // The push service of Safari, and of every browser on an iPhone.
  'web.push.apple.com',
  '.push.apple.com',
];

/**
 * Whether push messages may be sent to a URL. Browsers send the URL, so an unchecked URL could make the server call
 * addresses in its own network. `testOrigin`: an additional origin for tests.
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
