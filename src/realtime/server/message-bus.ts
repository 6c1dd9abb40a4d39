/** Carries short texts between the instances of the application. A process has one bus; each of its users joins a topic. */
export interface MessageBus {
  /**
   * `onMessage` receives messages of the topic's other members, never this member's own. `onConnected` is called each
   * time the connection to the others opens: earlier messages may have been lost. `onLost` is called when it closes.
   */
  join(topic: string, onMessage: (message: string) => void, onConnected: () => void, onLost?: () => void): BusMember;
  /** Ends every membership and connection. */
  close(): Promise<void>;
}

export interface BusMember {
  isConnected(): boolean;
  /**
   * Resolves once the bus has the message, with the number of other members it reached as far as the bus knows; rejects while
   * the bus cannot be reached. `others` is the expected number.
   */
  send(message: string, others?: number): Promise<number>;
  leave(): Promise<void>;
}
