/** The settings of this installation that browsers need. */
export interface BrowserConfig {
  /** The origin of the API; empty for the page's own origin. */
  apiUrl: string;
  /** The shop's own address as it is configured (`APP_URL`), e.g. `https://shop.example.com`; null: it is not. */
  publicUrl: string | null;
  /** Of a restored shop; left out before the first restore. */
  epoch?: string;
  /** The provider of map pictures; null: no maps are shown. */
  map: { url: string; attribution: string } | null;
  /** Without a mail server no page may promise a mail. */
  sendsMail: boolean;
  /** The enabled sign-in providers, in the order of their buttons. */
  signIn: { id: string; kind: 'google' | 'apple' | 'other'; name: string }[];
  realtime: {
    key: string;
    /** Empty for the page's own host; port 0 for the page's own port. */
    host: string;
    port: number;
    cluster: string;
  };
}
