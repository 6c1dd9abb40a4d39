interface AddressLines {
  line1: string;
  line2?: string;
  city?: string;
  postcode: string;
}

/** An address on one line without empty parts or breaks in its postcode. */
export function addressWords({ line1, line2, city, postcode }: AddressLines): string {
  return [line1, line2, city, postcode.replace(' ', '\u00a0')].filter(Boolean).join(', ');
}
