import { api } from '#platform/web/api.ts';
import type { BrowserConfig } from '#platform/browser-config.ts';

const key = 'page_config';

/** The cached config of the shop's pages (`GET /v1/page-config`); null: never fetched from this shop. */
export function readCachedConfig<Config extends BrowserConfig>(shop: string): Config | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as { shop: string; config: Config } | null;
    return kept?.shop === shop ? kept.config : null;
  } catch {
    return null;
  }
}

/** Fetches the config and caches it for the next start. Throws ApiError. */
export async function fetchConfig<Config extends BrowserConfig>(shop: string): Promise<Config> {
  const { data } = await api('GET /v1/page-config', {}, { timeout: 8000 });
  const origin = new URL(data.apiUrl || shop);
  const port = Number(origin.port) || (origin.protocol === 'https:' ? 443 : 80);
  const config = {
    ...data,
    apiUrl: origin.origin,
    realtime: { ...data.realtime, host: data.realtime.host || origin.hostname, port: data.realtime.port || port },
  } as unknown as Config;
  localStorage.setItem(key, JSON.stringify({ shop, config }));
  return config;
}

/** Writes the page's data into the element that `readPageData` reads. On the web the server writes that element. */
export function writePageData(data: object): void {
  const element = document.getElementById('page-data') ?? document.createElement('script');
  element.id = 'page-data';
  element.setAttribute('type', 'application/json');
  element.textContent = JSON.stringify(data);
  document.body.append(element);
}
