/** Carries short texts between the instances of the application. One bus a process; each user of it joins a topic. */
export interface MessageBus {
  /**
   * `onMessage` gets what the other members of the topic send, never what this member sends itself.
   * `onConnected` is called each time the way to the others is open: messages before it may have been lost. `onLost` is
   * called when it no longer is.
   */
  join(topic: string, onMessage: (message: string) => void, onConnected: () => void, onLost?: () => void): BusMember;
  /** Ends every membership and connection. */
  close(): Promise<void>;
}

export interface BusMember {
  isConnected(): boolean;
  /**
   * Resolves once the bus has the message, with how many others it reached as far as the bus knows; rejects while the bus
   * cannot be reached. `others` is how many there should be.
   */
  send(message: string, others?: number): Promise<number>;
  leave(): Promise<void>;
}
