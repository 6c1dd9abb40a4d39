/** Without look-alikes: 0 and O, 1 and I. */
export const deviceCodeSigns = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** Characters of a device code. */
const length = 8;

/** Reads a typed code: `abcd-efgh`, or with spaces. Null for other texts. */
export function readDeviceCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return code.length === length && [...code].every((sign) => deviceCodeSigns.includes(sign)) ? code : null;
}

/** As it is read aloud: `ABCD-EFGH`. */
export function spellDeviceCode(code: string): string {
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

/** The browser and the system of a user agent; null for unknown ones. */
export function deviceName(userAgent: string): { browser: string | null; system: string | null } {
  const find = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  return { browser: find(browsers), system: find(systems) };
}
