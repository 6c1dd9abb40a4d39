export interface OrderTimelineEntry {
  /** When the event happened, in ISO 8601 and UTC. */
  at: string;
  kind: 'order' | 'audit' | 'payment' | 'refund' | 'print' | 'mail' | 'event';
  words: string;
}

export const createTimelineEntry = (
  kind: OrderTimelineEntry['kind'],
  at: Date,
  ...words: (string | null | false | undefined)[]
): OrderTimelineEntry => ({
  at: at.toISOString(),
  kind,
  words: words.filter(Boolean).join(' '),
});
