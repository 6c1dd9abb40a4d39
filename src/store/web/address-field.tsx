import { m } from '#messages';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import type { FieldErrors } from '#platform/errors.ts';
import { InputField, type InputFieldProps } from '#ui/web/field.tsx';

type Name = keyof DeliveryAddress;

interface AddressFieldProps extends Omit<InputFieldProps, 'name' | 'label' | 'errors'> {
  name: Name;
  errors: FieldErrors;
}

export function AddressField({ name, errors, ...input }: AddressFieldProps) {
  const path = `address.${name}`;
  return <InputField {...fields[name]()} {...input} name={path} errors={errors[path]} />;
}

const fields: Record<Name, () => Omit<InputFieldProps, 'name'>> = {
  line1: () => ({
    label: m.ordering_address_line1(),
    autoComplete: 'address-line1',
    required: true,
    maxLength: 120,
    'data-missing': m.ordering_address_line1_missing(),
  }),
  line2: () => ({
    label: m.ordering_address_line2(),
    optional: m.platform_optional(),
    autoComplete: 'address-line2',
    maxLength: 120,
  }),
  city: () => ({
    label: m.ordering_address_city(),
    optional: m.platform_optional(),
    autoComplete: 'address-level2',
    maxLength: 80,
  }),
  postcode: () => ({
    label: m.ordering_address_postcode(),
    autoComplete: 'postal-code',
    autoCapitalize: 'characters',
    spellCheck: false,
    required: true,
    maxLength: 10,
  }),
  instructions: () => ({
    label: m.ordering_address_instructions(),
    optional: m.platform_optional(),
    placeholder: m.ordering_address_instructions_example(),
    autoComplete: 'off',
    maxLength: 300,
  }),
};
