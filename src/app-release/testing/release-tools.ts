import { readTestApk } from '#app-release/testing/test-apks.ts';
import type { Response, TestApp } from '#testing/test-app.ts';

/** An owner's calls for releases. */
export function releaseTools(parts: () => { app: TestApp; token: string }) {
  const upload = async (bytes: Buffer, query = '', type = 'application/vnd.android.package-archive') => {
    const { app, token } = parts();
    const response = await fetch(`${app.url}/v1/app-releases/files${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: new Uint8Array(bytes),
    });
    const { status, headers } = response;
    return { status, headers, body: await response.json() } as Response;
  };
  const uploadApp = (name: string, query = '') => upload(readTestApk(name), query);
  const call = (method: string, path: string, body?: unknown) => {
    const { app, token } = parts();
    return app.request(method, `/v1/app-releases${path}`, { token, ...(body !== undefined && { body }) });
  };
  /** Uploads an app and makes a draft of it; returns the draft. */
  const draft = async (name: string, change: Record<string, unknown> = {}) => {
    const { body } = await uploadApp(name);
    const { data } = body as { data: { download_url: string } };
    return (await call('POST', '', { download_url: data.download_url, ...change })).body.data;
  };
  const publish = (id: string, body?: unknown) => call('POST', `/${id}/publish`, body);
  const withdraw = (id: string) => call('DELETE', `/${id}`);
  const check = (current: string, platform = 'android', headers: Record<string, string> = {}) =>
    parts().app.request('POST', '/v1/app-release/check-update', {
      body: { platform, current_version: current },
      headers,
    });
  return { upload, uploadApp, call, draft, publish, withdraw, check };
}
