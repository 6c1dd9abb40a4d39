import type { Authorisation, Authorise } from '#realtime/web/pusher.ts';

const FIRST_RETRY_MS = 2000;
const LAST_RETRY_MS = 30_000;

/** The server's answer to an authorisation that may not be asked again. */
class ChannelRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The channel was refused with status ${status}.`);
    this.name = 'ChannelRefused';
    this.status = status;
  }
}

/**
 * Asks the server for the right to listen, with the token as it is at that moment. What may pass by itself (no network,
 * 429, 5xx) is asked again, as long as the socket is still the one that asked.
 */
export function createAuthoriser(
  url: string,
  readToken: () => string | null,
  isCurrent: (socketId: string) => boolean,
): Authorise {
  async function ask(socketId: string, channelName: string): Promise<Authorisation | ChannelRefused | 'later'> {
    const token = readToken();
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: new URLSearchParams({ socket_id: socketId, channel_name: channelName }),
    }).catch(() => null);
    if (!response || response.status === 429 || response.status >= 500) return 'later';
    if (response.status !== 200) return new ChannelRefused(response.status);
    // Our own server's answer, in the shape of the protocol; a body cut short is asked for again.
    return response.json().catch(() => 'later') as Promise<Authorisation | 'later'>;
  }

  return async ({ socketId, channelName }, answer) => {
    for (let wait = FIRST_RETRY_MS; isCurrent(socketId); wait = Math.min(wait * 2, LAST_RETRY_MS)) {
      const answered = await ask(socketId, channelName);
      if (!isCurrent(socketId)) return;
      if (answered instanceof ChannelRefused) return answer(answered, null);
      if (answered !== 'later') return answer(null, answered);
      await new Promise((resolve) => void setTimeout(resolve, wait));
    }
  };
}
