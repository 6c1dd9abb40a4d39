import { readPageData } from '#platform/web/page-data.ts';

/** The origin of links for other devices: the configured one, otherwise this page's. */
export function shopAddress(): string {
  return readPageData().config.publicUrl ?? location.origin;
}

/** Whether other devices and Android's apps can open links at this address: https, and not this machine alone. */
export function isForOthers(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}
