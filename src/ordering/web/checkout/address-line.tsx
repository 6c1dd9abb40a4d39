import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { m } from '#messages';
import type { FieldErrors } from '#platform/errors.ts';
import { api } from '#platform/web/api.ts';
import { readPageData } from '#platform/web/page-data.ts';
import type { FoundAddresses, Store } from '#store/contract.ts';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import { findZone } from '#store/delivery-zones.ts';
import { normalisePostcode, parsePostcode } from '#store/postcodes.ts';
import { AddressField } from '#store/web/address-field.tsx';

type FoundAddress = FoundAddresses['addresses'][number];

interface AddressLineProps {
  store: Pick<Store, 'id' | 'delivery_zones'>;
  postcode: string;
  value: string;
  /** Called with the typed line, or with the fields of the chosen address. */
  onChange: (change: { line1: string } & Partial<Pick<DeliveryAddress, 'line2' | 'city'>>) => void;
  errors: FieldErrors;
}

/**
 * The field for the first line of the address. If the shop has a look-up service, the field offers the addresses of the
 * postcode.
 */
export function AddressLine(props: AddressLineProps) {
  const { store, postcode, value, onChange, errors } = props;
  const [isOffered] = useState(() => readPageData().config.findsAddresses === true);
  const parsed = parsePostcode(postcode);
  if (isOffered && parsed && findZone(store.delivery_zones, parsed)) {
    const normal = normalisePostcode(postcode) ?? postcode;
    return <AddressCombobox key={normal} {...props} postcode={normal} />;
  }
  return (
    <AddressField
      name="line1"
      value={value}
      onChange={(event) => onChange({ line1: event.target.value })}
      errors={errors}
    />
  );
}

function AddressCombobox({ store, postcode, value, onChange, errors }: AddressLineProps) {
  const listId = useId();
  const { data, isError } = useQuery({
    queryKey: ['addresses', store.id, postcode],
    queryFn: async () =>
      (await api('GET /v1/stores/{id}/addresses', { id: store.id, postcode }, { timeout: 8000 })).data,
    staleTime: Infinity,
    retry: false,
  });
  // If the field has an address already, the list is closed at first.
  const [isOpen, setOpen] = useState(value === '');
  const [active, setActive] = useState(-1);
  const matches = isOpen ? matchingAddresses(data?.addresses ?? [], value) : [];
  const choose = (address: FoundAddress | undefined) => {
    if (!address) return;
    const { line1, line2, city } = address;
    onChange({ line1, line2, city });
    setOpen(false);
    setActive(-1);
  };
  const move = (place: number) => {
    setOpen(true);
    setActive(place);
    document.getElementById(optionId(listId, place))?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const count = matches.length;
    if (event.key === 'ArrowDown') move(count > 0 ? (active + 1) % count : 0);
    else if (event.key === 'ArrowUp') move(active > 0 ? active - 1 : count - 1);
    else if (event.key === 'Enter' && matches[active]) choose(matches[active]);
    else if (event.key === 'Escape' && count > 0) setOpen(false);
    else return;
    event.preventDefault();
  };
  return (
    <div className="grid content-start gap-1.5">
      <AddressField
        name="line1"
        value={value}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={matches.length > 0}
        aria-controls={listId}
        {...(matches[active] && { 'aria-activedescendant': optionId(listId, active) })}
        onChange={(event) => {
          onChange({ line1: event.target.value });
          setOpen(true);
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => value !== '' && setOpen(false)}
        errors={errors}
      />
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {lookupWords({ state: isError ? 'unavailable' : data?.state, count: matches.length, postcode, isOpen, value })}
      </p>
      <AddressOptions id={listId} postcode={postcode} shown={matches} active={active} onChoose={choose} />
    </div>
  );
}

interface AddressOptionsProps {
  id: string;
  postcode: string;
  shown: readonly FoundAddress[];
  active: number;
  onChoose: (address: FoundAddress) => void;
}

function AddressOptions({ id, postcode, shown, active, onChoose }: AddressOptionsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={m.ordering_address_list({ postcode })}
      className="max-h-72 overflow-y-auto rounded-box border border-line-strong empty:hidden"
    >
      {shown.map((address, place) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox field handles the keys
        <div
          key={`${address.line1} ${address.line2}`}
          id={optionId(id, place)}
          role="option"
          tabIndex={-1}
          aria-selected={place === active}
          className="flex min-h-11 cursor-pointer items-center px-4 py-2 wrap-anywhere aria-selected:bg-sunken"
          // The field keeps the focus, because its blur would close the list before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(address)}
        >
          {[address.line1, address.line2].filter(Boolean).join(', ')}
        </div>
      ))}
    </div>
  );
}

function optionId(listId: string, place: number): string {
  return `${listId}-${place}`;
}

interface LookupState {
  /** undefined: the look-up service has not responded yet. */
  state: FoundAddresses['state'] | undefined;
  count: number;
  postcode: string;
  isOpen: boolean;
  value: string;
}

function lookupWords({ state, count, postcode, isOpen, value }: LookupState): string {
  if (state === 'found') return isOpen && count > 0 ? m.ordering_address_found({ count }) : '';
  if (value !== '') return '';
  if (state === undefined) return m.ordering_address_looking();
  return state === 'unknown' ? m.ordering_address_unknown({ postcode }) : m.ordering_address_unavailable();
}

/** Returns the addresses that match every typed word. A typed word matches if a word of the address begins with it. */
export function matchingAddresses(addresses: readonly FoundAddress[], typed: string): readonly FoundAddress[] {
  const wanted = wordsOf(typed);
  return addresses.filter(({ line1, line2 }) => {
    const words = wordsOf(`${line1} ${line2}`);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
