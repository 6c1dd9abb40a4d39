export interface RealtimeEvent {
  channel: string;
  event: string;
  data: unknown;
}
