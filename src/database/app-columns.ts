/** More types of columns, as in `column-types.ts`: of apps. */

/** What the server has read from an app's file. */
export interface ApkFacts {
  package: string;
  version: string;
  version_code: number;
  min_sdk: number;
  target_sdk: number;
  /** SHA-256 of the signer's certificate. */
  signer: string;
  is_debug_key: boolean;
  is_debuggable: boolean;
  /** Which of the two apps it says it is, and for which shop's address; null when it does not say. */
  app: string | null;
  shop: string | null;
}
