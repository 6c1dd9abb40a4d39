import type PusherTypes from 'pusher-js';
import * as pusherModule from 'pusher-js';
import type { TestServer } from '#realtime/testing/server.ts';
import { APP } from '#realtime/testing/server.ts';

type PusherClass = typeof PusherTypes & typeof PusherTypes.default;
export type PusherClient = InstanceType<PusherClass>;

/** The Node build exports the class itself, while its types describe the browser's module. */
export const Pusher = (pusherModule as unknown as { default: PusherClass }).default;

export interface ClientOptions {
  token?: string;
  key?: string;
  port?: number;
}

/** Unmodified `pusher-js`, set up as the product's pages set it up. */
export function connectPusher(
  server: Pick<TestServer, 'port'>,
  { token, key = APP.key, port = server.port }: ClientOptions = {},
): PusherClient {
  return new Pusher(key, clientOptions(server, token, port));
}

export function clientOptions(server: Pick<TestServer, 'port'>, token: string | undefined, port = server.port) {
  const headersProvider = (): Record<string, string> =>
    token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return {
    cluster: 'mt1',
    wsHost: '127.0.0.1',
    wsPort: port,
    forceTLS: false,
    enabledTransports: ['ws' as const, 'wss' as const],
    channelAuthorization: {
      transport: 'ajax' as const,
      endpoint: `http://127.0.0.1:${server.port}/v1/broadcasting/auth`,
      headersProvider,
    },
    userAuthentication: {
      transport: 'ajax' as const,
      endpoint: `http://127.0.0.1:${server.port}/v1/broadcasting/user-auth`,
      headers: {},
      headersProvider,
    },
  };
}

/** Connects to a whole application, whose key is `test-key`. */
export function connectToApp(url: string, token?: string): PusherClient {
  return connectPusher({ port: Number(new URL(url).port) }, { key: 'test-key', ...(token !== undefined && { token }) });
}

interface Bindable {
  bind(event: string, callback: (data: never) => void): unknown;
  unbind(event: string, callback: (data: never) => void): unknown;
}

/** The data of the next event of that name. */
export function nextEvent<T = unknown>(target: Bindable, event: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${event} did not come`)), 30_000);
    const take = (data: never) => {
      clearTimeout(timer);
      target.unbind(event, take);
      resolve(data as T);
    };
    target.bind(event, take);
  });
}
