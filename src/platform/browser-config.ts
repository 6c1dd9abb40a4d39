export interface BrowserConfig {
  /** The origin of the API; empty for the page's own origin. */
  apiUrl: string;
  /** The shop's configured address (`APP_URL`), e.g. `https://shop.example.com`; null if none is configured. */
  publicUrl: string | null;
  /** An id that changes each time the shop is restored from a backup; missing before the first restore. */
  epoch?: string;
  /** The source of map tiles; null: the shop has no map service. */
  map: { url: string; attribution: string } | null;
  /** Whether the shop has a mail server; otherwise no page may promise a mail. */
  sendsMail: boolean;
  /** Whether the shop looks addresses up by postcode. */
  findsAddresses?: boolean;
  /** The enabled sign-in providers, in button order. */
  signIn: { id: string; kind: 'google' | 'apple' | 'other'; name: string }[];
  realtime: {
    key: string;
    /** The host of the socket; empty for the page's own host. */
    host: string;
    /** The port of the socket; 0 for the page's own port. */
    port: number;
    cluster: string;
  };
}
