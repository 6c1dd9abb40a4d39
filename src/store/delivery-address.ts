import { z } from 'zod';
import { m } from '#messages';
import { plainCode, plainLines, plainText } from '#platform/plain-text.ts';
import { normalisePostcode, parsePostcode, postcodeFault } from '#store/postcodes.ts';

export const DeliveryAddress = z.object({
  line1: z
    .string()
    .overwrite(plainText)
    .trim()
    .min(1, { error: () => m.ordering_address_line1_missing() })
    .max(120),
  line2: z.string().overwrite(plainText).trim().max(120).default(''),
  city: z.string().overwrite(plainText).trim().max(80).default(''),
  postcode: z
    .string()
    .overwrite(plainCode)
    .min(1, { error: () => m.accounts_postcode_missing() })
    .max(10),
  instructions: z.string().overwrite(plainLines).trim().max(300).default(''),
});
export type DeliveryAddress = z.infer<typeof DeliveryAddress>;

/** For the driver: the postcode in its normal form. */
export function tidyAddress(address: DeliveryAddress): DeliveryAddress {
  return { ...address, postcode: normalisePostcode(address.postcode) ?? address.postcode };
}

/** A saved address: an impossible postcode is refused while typing, not at the checkout. */
export const SavedAddress = DeliveryAddress.superRefine(({ postcode }, context) => {
  if (parsePostcode(postcode)) return;
  context.addIssue({ code: 'custom', path: ['postcode'], message: postcodeFault(postcode) });
}).transform(tidyAddress);
