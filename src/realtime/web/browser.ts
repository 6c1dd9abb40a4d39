import { reportUnauthorized, reloadAtNewEpoch, readToken } from '#platform/web/api.ts';
import { runWhenIdle } from '#platform/web/when-idle.ts';
import type { PusherConstructor } from '#realtime/web/pusher.ts';
import {
  createRealtimeClient,
  type RealtimeClient,
  type RealtimePageCallbacks,
} from '#realtime/web/realtime-client.ts';

export interface BrowserRealtimeConfig {
  /** The origin of the API; empty for the page's own origin. */
  apiUrl: string;
  /** The realtime server. An empty host means the page's own host, and port 0 means the page's own port. */
  realtime: { key: string; host: string; port: number; cluster: string };
}

/** Creates the realtime client that all pages of a browser app share. */
export function createBrowserRealtime(
  { apiUrl, realtime }: BrowserRealtimeConfig,
  { isWatched = false }: { isWatched?: boolean } = {},
): RealtimeClient {
  const tls = (apiUrl || location.protocol).startsWith('https:') || realtime.port === 443;
  const ownPort = Number(location.port) || (tls ? 443 : 80);
  const config = {
    key: realtime.key,
    host: realtime.host || location.hostname,
    port: realtime.port || ownPort,
    tls,
    cluster: realtime.cluster,
    authUrl: `${apiUrl.replace(/\/$/, '')}/v1/broadcasting/auth`,
    isWatched,
  };
  return createRealtimeClient(config, browserPage);
}

const browserPage: RealtimePageCallbacks = {
  async loadPusher() {
    const { default: Pusher } = await import('pusher-js');
    // Loading the library blocks a slow phone, and so does connecting, so pending taps are handled in between.
    await new Promise((resolve) => setTimeout(resolve));
    // The cast is needed, because the library's types are wider than `PusherConstructor`.
    return Pusher as unknown as PusherConstructor;
  },
  readToken,
  hearEpoch: reloadAtNewEpoch,
  onRefused: reportUnauthorized,
  whenIdle: runWhenIdle,
  onReturn(run) {
    const whenShown = () => {
      if (document.visibilityState === 'visible') run();
    };
    document.addEventListener('visibilitychange', whenShown);
    addEventListener('online', run);
    return () => {
      document.removeEventListener('visibilitychange', whenShown);
      removeEventListener('online', run);
    };
  },
};
