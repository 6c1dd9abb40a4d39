/**
 * The methods of `pusher-js` that the pages use. They are declared here, because the library's own types differ between
 * its builds.
 */
export interface PusherClient {
  readonly connection: {
    readonly state: ConnectionState;
    readonly socket_id: string;
    bind(event: string, callback: (data: never) => void): unknown;
  };
  subscribe(channel: string): PusherChannel;
  unsubscribe(channel: string): void;
  connect(): void;
  disconnect(): void;
}

export interface PusherChannel {
  readonly subscribed: boolean;
  trigger(event: string, data: unknown): boolean;
  bind_global(callback: (event: string, data: unknown) => void): unknown;
  unbind_global(callback: (event: string, data: unknown) => void): unknown;
}

export type ConnectionState = 'initialized' | 'connecting' | 'connected' | 'unavailable' | 'failed' | 'disconnected';

export interface AuthorisationRequest {
  socketId: string;
  channelName: string;
}

export interface ChannelAuthorisation {
  auth: string;
  channel_data?: string;
}

export type ChannelAuthoriser = (
  request: AuthorisationRequest,
  answer: (error: Error | null, authorisation: ChannelAuthorisation | null) => void,
) => void;

export interface PusherOptions {
  cluster: string;
  wsHost: string;
  wsPort: number;
  wssPort: number;
  forceTLS: boolean;
  enabledTransports: ('ws' | 'wss')[];
  channelAuthorization: { customHandler: ChannelAuthoriser };
  /** The silence after which the client pings the server (ms). */
  activityTimeout?: number;
  /** The timeout of the answer to a ping (ms). */
  pongTimeout?: number;
}

export type PusherConstructor = new (key: string, options: PusherOptions) => PusherClient;
