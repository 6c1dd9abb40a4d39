// The compiler knows either pages or workers; these files need only a few types of workers.
export interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface PushEvent extends LastingEvent {
  data: { json(): unknown } | null;
}
interface NotificationEvent extends LastingEvent {
  notification: Notification;
}
export interface Page {
  /** Where it was loaded: it may have gone on since. */
  url: string;
  postMessage(message: unknown, ports: MessagePort[]): void;
  focus(): Promise<unknown>;
}
export interface FetchEvent extends LastingEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Worker {
  addEventListener(type: 'message', listener: (event: LastingEvent & { data: unknown }) => void): void;
  addEventListener(type: 'activate', listener: (event: LastingEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
  registration: ServiceWorkerRegistration;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
}
// It runs as a service worker, whatever the compiler takes it for.
export const worker = self as unknown as Worker;
