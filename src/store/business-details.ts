import { m } from '#messages';
import type { FieldErrors } from '#platform/errors.ts';
import { emailPattern, phonePattern, normaliseEmail } from '#platform/contact-shapes.ts';
import { plainContactText, toPlainLine } from '#platform/plain-text.ts';
import type { StoreFields } from '#store/contract.ts';
import { normalisePostcode, postcodeFaultWords } from '#store/postcodes.ts';

type BusinessFields = Partial<Pick<StoreFields, 'address' | 'company_number' | 'vat_number'>>;

/**
 * Normalises the postcode, company number and VAT number of a British business, and reports every invalid field. Empty
 * fields are not changed.
 */
export function normaliseBusinessDetails<F extends BusinessFields>(fields: F): { fields: F; errors: FieldErrors } {
  const errors: FieldErrors = {};
  const tidy = (path: string, text: string, read: (text: string) => string | null, fault: string): string => {
    if (text.trim() === '') return text;
    const tidied = read(text);
    if (tidied === null) errors[path] = [fault];
    return tidied ?? text;
  };
  const { address, company_number: company, vat_number: vat } = fields;
  const postcode = address?.postcode ?? '';
  return {
    fields: {
      ...fields,
      ...(address && {
        address: {
          ...address,
          postcode: tidy('address.postcode', postcode, normalisePostcode, postcodeFaultWords(postcode)),
        },
      }),
      ...(company && {
        company_number: tidy('company_number', company, normaliseCompanyNumber, m.store_company_number_wrong()),
      }),
      ...(vat && { vat_number: tidy('vat_number', vat, normaliseVatNumber, m.store_vat_number_wrong()) }),
    },
    errors,
  };
}

/**
 * Returns the errors that the server would find in a phone number and an email address. Empty fields have no errors.
 */
export function contactFieldErrors({ phone, email }: Pick<StoreFields, 'phone' | 'email'>): FieldErrors {
  const [number, address] = [plainContactText(phone), normaliseEmail(email)];
  return {
    ...(number !== '' && !phonePattern.test(number) && { phone: [m.accounts_phone_wrong()] }),
    ...(address !== '' && !emailPattern.test(address) && { email: [m.accounts_email_wrong()] }),
  };
}

/**
 * Writes a company number in the eight characters that Companies House uses: `123456` becomes `00123456`; null for
 * other text.
 */
export function normaliseCompanyNumber(text: string): string | null {
  const [, letters = '', digits = '', ending = ''] = /^([A-Z]{0,2})(\d{1,8})([A-Z]{0,2})$/.exec(bare(text)) ?? [];
  const length = 8 - letters.length - ending.length;
  if (digits === '' || digits.length > length) return null;
  // A number that ends with letters, as some registered societies have, must begin with letters as well.
  if (ending !== '' && letters === '') return null;
  return letters + digits.padStart(length, '0') + ending;
}

/**
 * Writes a British VAT number as `GB 123 4567 82`, with three more digits for a branch. Returns null unless its check
 * digits are right. `XI` is Northern Ireland's prefix.
 */
export function normaliseVatNumber(text: string): string | null {
  const [, prefix = 'GB', number = '', branch = ''] = /^(GB|XI)?(\d{9})(\d{3})?$/.exec(bare(text)) ?? [];
  if (number === '' || !hasCheckDigits(number)) return null;
  const parts = [prefix, number.slice(0, 3), number.slice(3, 7), number.slice(7), branch];
  return parts.filter((part) => part !== '').join(' ');
}

/**
 * HMRC has two methods. Both add the last two digits to the weighted sum of the first seven; one adds 55 as well. The
 * result is a multiple of 97.
 */
function hasCheckDigits(number: string): boolean {
  const digits = [...number].map(Number);
  const sum = digits.slice(0, 7).reduce((total, digit, at) => total + digit * (8 - at), 0);
  const check = Number(number.slice(7));
  return (sum + check) % 97 === 0 || (sum + 55 + check) % 97 === 0;
}

function bare(text: string): string {
  return toPlainLine(text)
    .replaceAll(/[\s.-]/g, '')
    .toUpperCase();
}
