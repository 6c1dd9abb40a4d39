/** What the browser needs to know of this installation. */
export interface BrowserConfig {
  /** The origin of the API; empty for the page's own origin. */
  apiUrl: string;
  /** The provider of map pictures; null: no maps are shown. */
  map: { url: string; attribution: string } | null;
  /** The name of the OpenID provider for signing in; null where none is set up. */
  signInAt: string | null;
  realtime: {
    key: string;
    /** Empty for the page's own host; port 0 for the page's own port. */
    host: string;
    port: number;
    cluster: string;
  };
}
