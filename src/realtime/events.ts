/** A message for everyone who listens on a channel. */
export interface RealtimeEvent {
  channel: string;
  event: string;
  data: unknown;
}
