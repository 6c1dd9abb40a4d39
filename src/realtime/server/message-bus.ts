/** Carries short texts between instances. A process has one bus, whose users join topics. */
export interface MessageBus {
  /**
   * `onMessage`: messages of other members. `onConnected`: at each connection, before which messages may be lost.
   * `onLost`: when it closes.
   */
  join(topic: string, onMessage: (message: string) => void, onConnected: () => void, onLost?: () => void): BusMember;
  /** Ends every membership and connection. */
  close(): Promise<void>;
}

export interface BusMember {
  isConnected(): boolean;
  /**
   * Resolves when the bus has the message, with the number of members reached, if known; rejects without a connection.
   * `others`: the expected number.
   */
  send(message: string, others?: number): Promise<number>;
  leave(): Promise<void>;
}
