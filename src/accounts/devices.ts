/** The characters of device codes, without the look-alikes 0, O, 1 and I. */
export const deviceCodeCharacters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 8;

/** Reads a typed device code, such as `abcd-efgh` or `abcd efgh`; null for any other text. */
export function parseDeviceCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return code.length === length && [...code].every((sign) => deviceCodeCharacters.includes(sign)) ? code : null;
}

/** Formats a code for reading aloud: `ABCD-EFGH`. */
export function formatDeviceCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Reads the browser and the operating system from a user agent; null for an unknown browser or system. */
export function parseUserAgent(userAgent: string): { browser: string | null; system: string | null } {
  const find = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  return { browser: find(browsers), system: find(systems) };
}
