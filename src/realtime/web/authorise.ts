import type { Authorisation, Authorise, PusherConstructor } from '#realtime/web/pusher.ts';

const FIRST_RETRY_MS = 2000;
const LAST_RETRY_MS = 30_000;
/** Without this timeout a browser would wait for minutes on a half-open connection. */
const ANSWER_MS = 5000;

/** The server's answer to an authorisation that must not be retried. */
class ChannelRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The channel was refused with status ${status}.`);
    this.name = 'ChannelRefused';
    this.status = status;
  }
}

/**
 * Asks the server for permission to listen, with the current token. After temporary errors (no network,
 * 429, 5xx) it asks again, as long as the socket is still the same; after a refusal it asks again when the page
 * finds that its token has changed.
 */
export function createAuthoriser(
  url: string,
  { readToken, onRefused }: Pick<RealtimePage, 'readToken' | 'onRefused'>,
  isCurrent: (socketId: string) => boolean,
): Authorise {
  async function ask(
    token: string | null,
    socketId: string,
    channelName: string,
  ): Promise<Authorisation | ChannelRefused | 'later'> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: new URLSearchParams({ socket_id: socketId, channel_name: channelName }),
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch(() => null);
    if (!response || response.status === 429 || response.status >= 500) return 'later';
    if (response.status !== 200) return new ChannelRefused(response.status);
    // The answer of our own server, in the protocol's shape; a truncated body is requested again.
    return response.json().catch(() => 'later') as Promise<Authorisation | 'later'>;
  }

  return async ({ socketId, channelName }, answer) => {
    for (let wait = FIRST_RETRY_MS; isCurrent(socketId); wait = Math.min(wait * 2, LAST_RETRY_MS)) {
      const token = readToken();
      const answered = await ask(token, socketId, channelName);
      if (answered instanceof ChannelRefused) await onRefused();
      if (!isCurrent(socketId)) return;
      if (answered instanceof ChannelRefused) {
        if (readToken() !== token) continue;
        return answer(answered, null);
      }
      if (answered !== 'later') return answer(null, answered);
      await new Promise((resolve) => void setTimeout(resolve, wait));
    }
  };
}

/** The client's needs of its page. */
export interface RealtimePage {
  loadPusher(): Promise<PusherConstructor>;
  /** The bearer token, read again for each authorisation: it changes when somebody signs in. */
  readToken(): string | null;
  /** The server refused a channel: the sign-in may have ended. Resolves once the page knows who is signed in. */
  onRefused(): Promise<void>;
  /** Runs once the page has nothing more urgent to do. */
  whenIdle(run: () => void): void;
  /** Runs each time the page becomes visible again or the network is back; returns the function that stops it. */
  onReturn(run: () => void): () => void;
}
