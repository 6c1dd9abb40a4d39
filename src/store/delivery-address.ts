import { z } from 'zod';
import { m } from '#messages';
import { plainContactText, toPlainLines, toPlainLine } from '#platform/plain-text.ts';
import { normalisePostcode, parsePostcode, postcodeFaultWords } from '#store/postcodes.ts';

export const DeliveryAddress = z.object({
  line1: z
    .string()
    .overwrite(toPlainLine)
    .trim()
    .min(1, { error: () => m.ordering_address_line1_missing() })
    .max(120),
  line2: z.string().overwrite(toPlainLine).trim().max(120).default(''),
  city: z.string().overwrite(toPlainLine).trim().max(80).default(''),
  postcode: z
    .string()
    .overwrite(plainContactText)
    .min(1, { error: () => m.accounts_postcode_missing() })
    .max(10),
  instructions: z.string().overwrite(toPlainLines).trim().max(300).default(''),
});
export type DeliveryAddress = z.infer<typeof DeliveryAddress>;

/** Returns the address with its postcode in the normal form, which drivers read. An invalid postcode is not changed. */
export function withNormalPostcode(address: DeliveryAddress): DeliveryAddress {
  return { ...address, postcode: normalisePostcode(address.postcode) ?? address.postcode };
}

/**
 * An address that a customer saves. An impossible postcode is refused at once, so that it does not fail later at the
 * checkout.
 */
export const SavedAddress = DeliveryAddress.superRefine(({ postcode }, context) => {
  if (parsePostcode(postcode)) return;
  context.addIssue({ code: 'custom', path: ['postcode'], message: postcodeFaultWords(postcode) });
}).transform(withNormalPostcode);
