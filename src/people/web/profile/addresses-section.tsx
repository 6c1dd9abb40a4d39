import { useState } from 'react';
import { m } from '#messages';
import {
  savedAddressWords,
  maxAddresses,
  replaceOrAppendAddress,
  withDefaultAddress,
  removeAddressAt,
} from '#accounts/addresses.ts';
import type { User } from '#accounts/contract.ts';
import { changeOwnDetails, ProfileSection } from '#people/web/profile/sections.tsx';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import { formFailureOf, formFieldText } from '#ui/web/form-errors.ts';
import { Icon } from '#ui/web/icon.tsx';
import { notify } from '#ui/web/notify.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { AddressField } from '#store/web/address-field.tsx';
import { ApiError } from '#platform/web/api.ts';
import { normalisePostcode } from '#store/postcodes.ts';

type Editing = { index: number | null } | null;

export function AddressesSection({ user: { addresses } }: { user: User }) {
  const [editing, setEditing] = useState<Editing>(null);
  const save = async (address: DeliveryAddress) => {
    await changeOwnDetails({ addresses: replaceOrAppendAddress(addresses, editing?.index ?? null, address) });
    setEditing(null);
    notify({ text: m.people_own_saved() });
  };
  const put = (next: DeliveryAddress[], words: string, undo?: () => void) => {
    changeOwnDetails({ addresses: next })
      .then(() => notify({ text: words, ...(undo && { action: { label: m.platform_undo(), run: undo } }) }))
      .catch((error: unknown) => notify({ text: formFailureOf(error).message ?? m.platform_internal() }));
  };
  const remove = (index: number) =>
    put(removeAddressAt(addresses, index), m.people_address_removed(), () => put([...addresses], m.people_own_saved()));

  return (
    <ProfileSection title={m.people_addresses()} hint={m.people_addresses_hint()}>
      {addresses.length === 0 && editing === null && <p>{m.people_addresses_none()}</p>}
      <ul className="grid gap-3 empty:hidden">
        {addresses.map((address, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- equal addresses differ only by their index
          <li key={`${index} ${savedAddressWords(address)}`} className="rounded-box border border-line p-3">
            {editing?.index === index ? (
              <AddressForm address={address} onSave={save} onCancel={() => setEditing(null)} />
            ) : (
              <AddressRow
                address={address}
                isDefault={index === 0}
                onEdit={() => setEditing({ index })}
                onRemove={() => remove(index)}
                onDefault={() => put(withDefaultAddress(addresses, index), m.people_own_saved())}
              />
            )}
          </li>
        ))}
      </ul>
      {editing !== null && editing.index === null && (
        <AddressForm address={null} onSave={save} onCancel={() => setEditing(null)} />
      )}
      {editing === null && addresses.length < maxAddresses && (
        <div>
          <button type="button" className="btn btn-quiet" onClick={() => setEditing({ index: null })}>
            <Icon name="plus" />
            {m.people_address_add()}
          </button>
        </div>
      )}
    </ProfileSection>
  );
}

interface AddressRowProps {
  address: DeliveryAddress;
  isDefault: boolean;
  onEdit: () => void;
  onRemove: () => void;
  onDefault: () => void;
}

function AddressRow({ address, isDefault, onEdit, onRemove, onDefault }: AddressRowProps) {
  const words = savedAddressWords(address);
  return (
    <div className="grid gap-2">
      <p className="wrap-anywhere">{words}</p>
      {address.instructions && <p className="text-sm text-ink-soft wrap-anywhere">{address.instructions}</p>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {isDefault ? (
          <span className="chip bg-accent-soft text-accent-text">{m.people_address_default()}</span>
        ) : (
          <button type="button" className="link min-h-11" onClick={onDefault}>
            {m.people_address_make_default()}
            <span className="sr-only"> {words}</span>
          </button>
        )}
        <button type="button" className="link min-h-11" onClick={onEdit}>
          {m.people_address_edit()}
          <span className="sr-only"> {words}</span>
        </button>
        <button type="button" className="link min-h-11" onClick={onRemove}>
          {m.people_address_remove()}
          <span className="sr-only"> {words}</span>
        </button>
      </div>
    </div>
  );
}

interface AddressFormProps {
  /** The address to edit; null: a new one. */
  address: DeliveryAddress | null;
  onSave: (address: DeliveryAddress) => Promise<void>;
  onCancel: () => void;
}

function AddressForm({ address, onSave, onCancel }: AddressFormProps) {
  const save = (form: FormData) =>
    onSave({
      line1: formFieldText(form, 'address.line1'),
      line2: formFieldText(form, 'address.line2'),
      city: formFieldText(form, 'address.city'),
      postcode: normalisePostcode(formFieldText(form, 'address.postcode')) ?? formFieldText(form, 'address.postcode'),
      instructions: formFieldText(form, 'address.instructions'),
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

/** Renames an error's fields for this form, which has one address: `addresses.2.postcode` becomes `postcode`. */
function inThisForm(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const errors = Object.entries(error.errors).map(([name, words]) => [name.replace(/^addresses\.\d+\./, ''), words]);
  return new ApiError(error.status, { ...error.body, errors: Object.fromEntries(errors) });
}
