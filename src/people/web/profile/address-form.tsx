import { m } from '#messages';
import { AccountForm } from '#accounts/web/account-form.tsx';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import { AddressField } from '#store/web/address-field.tsx';
import { textOf } from '#ui/web/form-errors.ts';
import { ApiError } from '#platform/web/api.ts';
import { normalisePostcode } from '#store/postcodes.ts';

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
    <AccountForm prefix="address." submitLabel={m.people_own_save()} onSubmit={save} onCancel={onCancel}>
      {(errors) => (
        <>
          <AddressField name="line1" defaultValue={address?.line1} errors={errors} />
          <AddressField name="line2" defaultValue={address?.line2} errors={errors} />
          <AddressField name="city" defaultValue={address?.city} errors={errors} />
          <AddressField
            name="postcode"
            defaultValue={address?.postcode}
            data-missing={m.accounts_postcode_missing()}
            errors={errors}
          />
          <AddressField name="instructions" defaultValue={address?.instructions} errors={errors} />
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
