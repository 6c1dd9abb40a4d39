/** What the browser needs to know of this installation. */
export interface BrowserConfig {
  /** Where the API lives; empty for the page's own origin. */
  apiUrl: string;
  /** The shop that `/` shows, by id, slug or name; null for the first one. */
  storeName: string | null;
  /** Whose pictures maps are made of; null: there are no maps. */
  map: { url: string; attribution: string } | null;
  /** What the OpenID provider is called where people may sign in; null where there is none. */
  signInAt: string | null;
  realtime: {
    key: string;
    /** Empty for the page's own host; port 0 for the page's own port. */
    host: string;
    port: number;
    cluster: string;
  };
}
