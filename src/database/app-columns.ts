/** More types of columns, as in `column-types.ts`: of apps. */

/** The facts that the server has read from an app's file. */
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

/** A tablet with the kitchen's app, or a browser with the board. */
export type DeviceKind = 'tablet' | 'browser';

/** A device's last report of itself; an unknown value is missing or null. */
export interface DeviceState {
  version?: string | null | undefined;
  /** Percent. */
  battery?: number | null | undefined;
  is_charging?: boolean | null | undefined;
  /** Bars of the Wi-Fi signal, 0 to 4. */
  wifi?: number | null | undefined;
}
