import { readPageData } from '#platform/web/page-data.ts';

/** The origin of links to the shop for other devices: the configured address, or else this page's origin. */
export function shopOrigin(): string {
  return readPageData().config.publicUrl ?? location.origin;
}

/** Whether a host name always means the device that uses it, such as `localhost`. */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);

/** Whether other devices and the Android apps can open links at this URL. It must use https and not be localhost. */
export function isReachableByOthers(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && !isLoopbackHost(hostname);
}
