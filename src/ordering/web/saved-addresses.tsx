import { m } from '#messages';
import { addressWords } from '#accounts/addresses.ts';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import { Choice } from '#ordering/web/checkout-when.tsx';

interface SavedAddressesProps {
  saved: readonly DeliveryAddress[];
  /** null: another one. */
  picked: DeliveryAddress | null;
  isEditing: boolean;
  onPick: (address: DeliveryAddress | null) => void;
  onEdit: () => void;
}

/** The addresses of the account, to choose one, to edit it, or to enter a different one. */
export function SavedAddresses({ saved, picked, isEditing, onPick, onEdit }: SavedAddressesProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-semibold">{m.ordering_address_saved()}</legend>
      {saved.map((address, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- two may be the same; their place tells them apart
        <div key={`${place} ${addressWords(address)}`} className="grid">
          <Choice name="saved-address" isChosen={address === picked} onChoose={() => onPick(address)}>
            <span className="min-w-0 wrap-anywhere">
              {addressWords(address)}
              {address.instructions && <span className="block text-sm text-ink-soft">{address.instructions}</span>}
            </span>
          </Choice>
          {address === picked && !isEditing && (
            <button type="button" className="link min-h-11 justify-self-start px-4" onClick={onEdit}>
              {m.ordering_address_edit()}
            </button>
          )}
        </div>
      ))}
      <Choice name="saved-address" isChosen={picked === null} onChoose={() => onPick(null)}>
        {m.ordering_address_other()}
      </Choice>
    </fieldset>
  );
}
