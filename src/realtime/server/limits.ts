/** Sizes are bytes, times are milliseconds unless the name says otherwise. */
export interface RealtimeLimits {
  maxConnections: number;
  /** Counts only when `addressOf` is given: behind a proxy every socket has the proxy's address. */
  maxConnectionsPerAddress: number;
  maxChannelsPerConnection: number;
  maxPresenceMembers: number;
  maxUserInfoBytes: number;
  /** One frame from a client; a larger one closes its socket with 1009. */
  maxFrameBytes: number;
  /** The `data` of one client event or one event of the server API. */
  maxEventBytes: number;
  /** What may wait for a socket that does not read before it is dropped. */
  maxBufferedBytes: number;
  clientEventsPerSecond: number;
  framesPerSecond: number;
  frameBurst: number;
  /** Told to clients, which ping after so long a silence. */
  activityTimeoutSeconds: number;
  /** A socket silent for so long is pinged. */
  pingAfter: number;
  /** A pinged socket that stays silent for so long is closed with 4201. */
  pongTimeout: number;
  sweepEvery: number;
  /** A board that is switched on is pinged so often, by frames that its browser answers though the page's own timers are slowed. */
  boardPingEvery: number;
  /** A board that is silent for so long counts as switched off, and its socket is closed with 4201. */
  boardTimeout: number;
  /** Closing everything is spread over so long, so that clients do not return all at once. */
  closeSpread: number;
  /** How long a closing socket may take to answer before it is cut. */
  closeTimeout: number;
  /** How often instances tell each other that they live, and when a silent one counts as gone. */
  beatEvery: number;
  peerTimeout: number;
  /** How long to wait for the other instances' counts. */
  askTimeout: number;
}

export const DEFAULT_LIMITS: RealtimeLimits = {
  maxConnections: 10_000,
  maxConnectionsPerAddress: 200,
  maxChannelsPerConnection: 100,
  maxPresenceMembers: 100,
  maxUserInfoBytes: 1024,
  maxFrameBytes: 32 * 1024,
  maxEventBytes: 10 * 1024,
  maxBufferedBytes: 1024 * 1024,
  clientEventsPerSecond: 10,
  framesPerSecond: 50,
  frameBurst: 200,
  activityTimeoutSeconds: 120,
  pingAfter: 30_000,
  pongTimeout: 30_000,
  sweepEvery: 5000,
  boardPingEvery: 5000,
  boardTimeout: 20_000,
  closeSpread: 5000,
  closeTimeout: 2000,
  beatEvery: 5000,
  peerTimeout: 15_000,
  askTimeout: 500,
};
