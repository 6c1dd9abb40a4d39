import type { ConnectionWatch } from '#realtime/web/connection-watch.ts';
import type { ConnectionState, PusherClient } from '#realtime/web/pusher.ts';

/** How long each attempt to connect may take. After a failed one the library alone would wait 15 s, 30 s and 60 s. */
const ATTEMPT_MS = [4000, 6000, 9000, 13_000, 15_000];
/** The server sends something at least every 35 s; a longer silence means a connection that died while the device slept. */
const SILENCE_MS = 75_000;

/**
 * Reports the library's states to the watch, and makes the library reconnect sooner: nobody should miss events for
 * a minute after a restart of the server. Returns the function that stops it.
 */
export function createReconnector(
  pusher: PusherClient,
  watch: ConnectionWatch,
  onReturn: (run: () => void) => () => void,
  longestSilence: number = SILENCE_MS,
): () => void {
  const { connection } = pusher;
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRestarting = false;

  function follow(state: ConnectionState): void {
    // While it restarts, the library reports "disconnected", as if somebody had closed it.
    if (isRestarting) return;
    watch.changeState(state);
    clearTimeout(timer);
    if (state === 'connected') attempts = 0;
    else if (isTrying(state)) timer = setTimeout(restart, nextDelay());
  }

  function nextDelay(): number {
    const delay = ATTEMPT_MS[Math.min(attempts, ATTEMPT_MS.length - 1)] ?? 0;
    attempts += 1;
    // Pages that lost one server together should not all return at the same moment.
    return delay * (0.75 + Math.random() / 2);
  }

  function restart(): void {
    isRestarting = true;
    pusher.disconnect();
    pusher.connect();
    isRestarting = false;
    follow(connection.state);
  }

  const stopReturning = onReturn(() => {
    const heard = watch.read().lastHeardAt ?? 0;
    const isDead = connection.state === 'connected' && Date.now() - heard > longestSilence;
    if (isDead || isTrying(connection.state)) restart();
  });
  connection.bind('state_change', ({ current }: { current: ConnectionState }) => follow(current));
  follow(connection.state);

  return () => {
    clearTimeout(timer);
    stopReturning();
    isRestarting = true;
  };
}

function isTrying(state: ConnectionState): boolean {
  return state === 'connecting' || state === 'unavailable';
}
