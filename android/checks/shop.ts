import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../src/testing/shop-server.ts';
import type { Tally } from './tally.ts';

export interface Shop {
  url: string;
  /** Calls the real API as its owner. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; data: Record<string, unknown> }>;
  /** Publishes an update in the office, and sees what the office says to a file of another signer. */
  publish(tally: Tally, files: { update: string; stolen: string }): Promise<void>;
  end(): Promise<void>;
}

const owner = { email: 'owner@example.com', password: 'a-long-password' };

/** The real server with the demo shop, which believes to be at `address`. */
export async function openShop(address: string): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'android-shop-'));
  const settings = {
    DATA_DIR: folder,
    APP_URL: address,
    ADMIN_EMAIL: owner.email,
    ADMIN_PASSWORD: owner.password,
    LOG_LEVEL: 'error',
  };
  const server = await startServer(() => settings, [], []);
  const sent = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | Uint8Array<ArrayBuffer> | null,
  ) => {
    const response = await fetch(server.url + path, { method, headers, body });
    return { status: response.status, body: (await response.json().catch(() => ({}))) as Record<string, unknown> };
  };
  const signedIn = await sent(
    'POST',
    '/v1/auth/login',
    { 'content-type': 'application/json' },
    JSON.stringify({ username: owner.email, ...owner }),
  );
  const authorization = `Bearer ${String(signedIn.body['token'])}`;
  const call: Shop['call'] = async (method, path, body) => {
    const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const answer = await sent(method, path, headers, body === undefined ? null : JSON.stringify(body));
    return { status: answer.status, data: (answer.body['data'] ?? answer.body) as Record<string, unknown> };
  };
  const upload = async (file: string) => {
    const headers = { authorization, 'content-type': 'application/vnd.android.package-archive' };
    return sent('POST', '/v1/app-releases/files?platform=android', headers, new Uint8Array(readFileSync(file)));
  };
  return {
    url: server.url,
    call,
    async publish(tally, { update, stolen }) {
      const stored = await upload(update);
      tally.equal('the office takes the update', stored.status, 201);
      const { download_url: url } = (stored.body['data'] ?? {}) as { download_url?: string };
      const made = await call('POST', '/v1/app-releases', { platform: 'android', download_url: url, notes: 'Better.' });
      tally.check('and makes a release of it', made.status === 201, made);
      const published = await call('POST', `/v1/app-releases/${String(made.data['id'])}/publish`, {});
      tally.check('and publishes it', published.status === 200, published);
      const other = await upload(stolen);
      tally.check('a file of another signer is refused', other.status === 422 || other.status === 409, other);
    },
    async end() {
      await server.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
