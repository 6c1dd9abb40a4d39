interface AddressLines {
  line1: string;
  line2?: string;
  city?: string;
  postcode: string;
}

/** Formats an address on one line. Empty parts are left out, and no line break can split the postcode. */
export function addressWords({ line1, line2, city, postcode }: AddressLines): string {
  return [line1, line2, city, postcode.replace(' ', '\u00a0')].filter(Boolean).join(', ');
}
