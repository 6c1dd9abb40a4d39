/** What a page knows of this installation's stores, beside `BrowserConfig`. */
export interface StoreConfig {
  /** The store that `/` shows, by id, slug or name; null for the first one. */
  storeName: string | null;
}
