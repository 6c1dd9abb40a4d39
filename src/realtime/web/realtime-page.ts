import type { PusherConstructor } from '#realtime/web/pusher.ts';

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
