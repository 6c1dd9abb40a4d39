/** Without the signs that are mistaken for each other: 0 and O, 1 and I. */
export const deviceCodeSigns = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 8;

/** A typed code: `abcd-efgh`, or with spaces. null for a text that cannot be one. */
export function readDeviceCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return code.length === length && [...code].every((sign) => deviceCodeSigns.includes(sign)) ? code : null;
}

/** As it is read aloud: `ABCD-EFGH`. */
export function spellDeviceCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
