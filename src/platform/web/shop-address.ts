import { readPageData } from '#platform/web/page-data.ts';

/** The origin that links for other devices are made of: the configured one, or else that of this page. */
export function shopAddress(): string {
  return readPageData().config.publicUrl ?? location.origin;
}

/** Whether another device can open links at this address, and Android's apps may use it: https, and not this machine alone. */
export function isForOthers(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}
