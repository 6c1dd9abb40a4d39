import { m } from '#messages';
import { AccountForm } from '#accounts/web/account-form.tsx';
import type { DeliveryAddress } from '#ordering/order.ts';
import { InputField } from '#platform/web/ui/field.tsx';
import { textOf } from '#platform/web/ui/form-errors.ts';
import { ApiError } from '#platform/web/api.ts';
import { normalisePostcode } from '#store/delivery-zones.ts';

interface AddressFormProps {
  /** null for a new one. */
  address: DeliveryAddress | null;
  onSave: (address: DeliveryAddress) => Promise<void>;
  onCancel: () => void;
}

export function AddressForm({ address, onSave, onCancel }: AddressFormProps) {
  const save = (form: FormData) =>
    onSave({
      line1: textOf(form, 'address.line1'),
      line2: textOf(form, 'address.line2'),
      city: textOf(form, 'address.city'),
      postcode: normalisePostcode(textOf(form, 'address.postcode')) ?? textOf(form, 'address.postcode'),
      instructions: textOf(form, 'address.instructions'),
    }).catch((error: unknown) => {
      throw inThisForm(error);
    });
  return (
    <AccountForm prefix="address." submitLabel={m.accounts_save()} onSubmit={save} onCancel={onCancel}>
      {(errors) => (
        <>
          <InputField
            name="address.line1"
            label={m.ordering_address_line1()}
            autoComplete="address-line1"
            required
            maxLength={120}
            defaultValue={address?.line1}
            data-missing={m.ordering_address_line1_missing()}
            errors={errors['address.line1']}
          />
          <InputField
            name="address.line2"
            label={m.ordering_address_line2()}
            optional={m.platform_optional()}
            autoComplete="address-line2"
            maxLength={120}
            defaultValue={address?.line2}
            errors={errors['address.line2']}
          />
          <InputField
            name="address.city"
            label={m.ordering_address_city()}
            optional={m.platform_optional()}
            autoComplete="address-level2"
            maxLength={80}
            defaultValue={address?.city}
            errors={errors['address.city']}
          />
          <InputField
            name="address.postcode"
            label={m.ordering_address_postcode()}
            autoComplete="postal-code"
            autoCapitalize="characters"
            spellCheck={false}
            required
            maxLength={10}
            defaultValue={address?.postcode}
            data-missing={m.accounts_postcode_missing()}
            errors={errors['address.postcode']}
          />
          <InputField
            name="address.instructions"
            label={m.ordering_address_instructions()}
            optional={m.platform_optional()}
            placeholder={m.ordering_address_instructions_example()}
            maxLength={300}
            defaultValue={address?.instructions}
            errors={errors['address.instructions']}
          />
        </>
      )}
    </AccountForm>
  );
}

/** The server names a field of the whole list, such as `addresses.2.postcode`; here there is one address. */
function inThisForm(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const errors = Object.entries(error.errors).map(([name, words]) => [name.replace(/^addresses\.\d+\./, ''), words]);
  return new ApiError(error.status, { ...error.body, errors: Object.fromEntries(errors) });
}
