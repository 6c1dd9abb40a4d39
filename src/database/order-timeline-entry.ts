export interface OrderEvent {
  /** When the event happened, in ISO 8601 and UTC. */
  at: string;
  kind: 'order' | 'audit' | 'payment' | 'refund' | 'print' | 'mail' | 'event';
  words: string;
}

export const orderEvent = (
  kind: OrderEvent['kind'],
  at: Date,
  ...words: (string | null | false | undefined)[]
): OrderEvent => ({
  at: at.toISOString(),
  kind,
  words: words.filter(Boolean).join(' '),
});
