import type { PusherConstructor } from '#realtime/web/pusher.ts';

/** What the client needs of the page it runs in. */
export interface RealtimePage {
  loadPusher(): Promise<PusherConstructor>;
  /** The bearer token, read anew for each authorisation: it changes when somebody signs in. */
  readToken(): string | null;
  /** The server refused a channel: whoever is signed in may be so no more. Ends once the page knows who is. */
  onRefused(): Promise<void>;
  /** Runs once the page has nothing more urgent to do. */
  whenIdle(run: () => void): void;
  /** Runs each time the page is looked at again or the network is back; returns what stops it. */
  onReturn(run: () => void): () => void;
}
