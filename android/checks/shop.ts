import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { startTestProvider, type TestProvider } from '../../src/accounts/testing/oidc-provider.ts';
import { cashBasket } from '../../src/testing/cash-basket.ts';
import { openShop as openServer, type Shop as Server } from '../../src/testing/running-shop.ts';
import type { Tally } from './tally.ts';

/** The real server with the demo shop, open all week, which believes to be at the apps' address. */
export interface Shop extends Server {
  /** The company at which customers may sign in. */
  provider: TestProvider;
  /** Signs a tablet in. */
  addTablet(): Promise<{ token: string; id: string }>;
  makeCode(name: string): Promise<string>;
  /** The body of an order that a guest pays in cash. */
  basket(): Promise<Record<string, unknown>>;
  end(): Promise<void>;
}

type Fields = Record<string, unknown>;
const dataOf = ({ body }: { body: Fields }) => body['data'] as Fields;

export async function openShop(address: string): Promise<Shop> {
  const provider = await startTestProvider();
  provider.admitShop(address);
  const server = await openServer(
    {
      APP_URL: address,
      LOG_LEVEL: 'error',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
    },
    ['--demo'],
  );
  const { api, adminToken, storeId } = server;
  const makeCode = async (name: string) =>
    String(dataOf(await api('POST', '/v1/devices/codes', { store_id: storeId, name }, adminToken))['code']);
  await answerAll(server);
  return {
    ...server,
    provider,
    makeCode,
    async addTablet() {
      const signedIn = dataOf(await api('POST', '/v1/devices/sign-in', { code: await makeCode('Bytecode') }));
      return { token: String(signedIn['token']), id: String((signedIn['device'] as Fields)['id']) };
    },
    basket: async () => ({ ...(await cashBasket(server)), session: randomUUID() }),
    async end() {
      await server.stop();
      await provider.close();
    },
  };
}

/** The demo shop begins with orders that wait. */
export async function answerAll({ api, adminToken }: Server): Promise<void> {
  const { body } = await api('GET', '/v1/orders?status=placed&per_page=100', undefined, adminToken);
  for (const { id } of body['data'] as { id: string }[]) {
    await api('POST', `/v1/orders/${id}/reject`, { reason: 'too_busy' }, adminToken);
  }
}

/** Uploads a file in the office. */
export async function upload({ url, adminToken }: Shop, platform: string, file: string) {
  const response = await fetch(`${url}/v1/app-releases/files?platform=${platform}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/vnd.android.package-archive' },
    body: new Uint8Array(readFileSync(file)),
  });
  return { status: response.status, body: (await response.json()) as Fields };
}

/** Publishes an update in the office. */
export async function publish(tally: Tally, shop: Shop, platform: string, update: string): Promise<void> {
  const { api, adminToken } = shop;
  const stored = await upload(shop, platform, update);
  tally.equal('the office takes the update', stored.status, 201);
  const draft = { platform, download_url: dataOf(stored)['download_url'], notes: 'Better.' };
  const made = await api('POST', '/v1/app-releases', draft, adminToken);
  tally.equal('and makes a release of it', made.status, 201);
  const published = await api(
    'POST',
    `/v1/app-releases/${String(dataOf(made)['id'])}/publish`,
    { confirm: true },
    adminToken,
  );
  tally.equal('and publishes it', published.status, 200);
}
