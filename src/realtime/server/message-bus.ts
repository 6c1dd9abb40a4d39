/**
 * Carries short texts between instances. A process has one bus; each part of the program that uses it joins a topic.
 */
export interface MessageBus {
  /**
   * Joins a topic. `onMessage` gets the other members' messages. `onConnected` is called after each connection;
   * messages before it may have been lost. `onLost` is called when the connection closes.
   */
  join(
    topic: string,
    onMessage: (message: string) => void,
    onConnected: () => void,
    onLost?: () => void,
  ): MessageBusListener;
  close(): Promise<void>;
}

export interface MessageBusListener {
  isConnected(): boolean;
  /**
   * Sends a message. When the bus has the message, resolves to the number of members that the message reaches
   * (`Infinity`: all). Rejects without a connection. `others`: the expected number of members; if fewer are reached, a
   * second bus is used too.
   */
  send(message: string, others?: number): Promise<number>;
  leave(): Promise<void>;
}
