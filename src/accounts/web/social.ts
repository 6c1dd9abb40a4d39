import { api } from '#platform/web/api.ts';
import { readPageData } from '#platform/web/page-data.ts';

const key = 'social_secret';

/** What the OpenID provider of this shop is called; null where there is none. */
export function providerName(): string | null {
  return readPageData().config.signInAt;
}

/** Leaves for the provider's page; throws ApiError when there is no way there. What ends the attempt stays in this tab. */
export async function leaveForProvider(): Promise<void> {
  const { data } = await api('POST /v1/auth/social/begin', {}, { timeout: 20_000 });
  sessionStorage.setItem(key, data.secret);
  location.assign(data.url);
}

/** What belongs to the attempt that this tab began, once; null when it began none. */
export function takeSecret(): string | null {
  const secret = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return secret;
}
