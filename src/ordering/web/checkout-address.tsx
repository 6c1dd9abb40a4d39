import { m } from '#messages';
import type { DeliveryAddress } from '#ordering/order.ts';
import type { CheckoutDraft } from '#ordering/web/checkout-draft.ts';
import type { FieldErrors } from '#platform/errors.ts';
import { formatMoney } from '#platform/money.ts';
import { InputField } from '#platform/web/ui/field.tsx';
import { Icon } from '#platform/web/ui/icon.tsx';
import type { Store } from '#store/contract.ts';
import { findZone, normalisePostcode, parsePostcode } from '#store/delivery-zones.ts';

interface CheckoutAddressProps {
  store: Store;
  draft: CheckoutDraft;
  saved: DeliveryAddress | undefined;
  postcode: string;
  onPostcode: (postcode: string) => void;
  errors: FieldErrors;
}

/** Where to bring it. The postcode comes first, because it decides whether, and for how much. */
export function CheckoutAddress({ store, draft, saved, postcode, onPostcode, errors }: CheckoutAddressProps) {
  const value = (name: keyof DeliveryAddress) => draft[`address.${name}`] || saved?.[name];
  return (
    <div className="grid gap-5">
      <div className="grid gap-1.5">
        <div className="max-w-52">
          <InputField
            name="address.postcode"
            label={m.ordering_address_postcode()}
            autoComplete="postal-code"
            autoCapitalize="characters"
            spellCheck={false}
            required
            maxLength={10}
            value={postcode}
            onChange={(event) => onPostcode(event.target.value)}
            onBlur={(event) => onPostcode(normalisePostcode(event.target.value) ?? event.target.value)}
            data-missing={m.ordering_address_required()}
            errors={errors['address.postcode']}
          />
        </div>
        <ZoneAnswer store={store} postcode={postcode} />
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <InputField
          name="address.line1"
          label={m.ordering_address_line1()}
          autoComplete="address-line1"
          required
          maxLength={120}
          defaultValue={value('line1')}
          data-missing={m.ordering_address_line1_missing()}
          errors={errors['address.line1']}
        />
        <InputField
          name="address.line2"
          label={m.ordering_address_line2()}
          optional={m.platform_optional()}
          autoComplete="address-line2"
          maxLength={120}
          defaultValue={value('line2')}
          errors={errors['address.line2']}
        />
        <InputField
          name="address.city"
          label={m.ordering_address_city()}
          optional={m.platform_optional()}
          autoComplete="address-level2"
          maxLength={80}
          defaultValue={value('city') ?? store.address.city}
          errors={errors['address.city']}
        />
        <InputField
          name="address.instructions"
          label={m.ordering_address_instructions()}
          optional={m.platform_optional()}
          placeholder={m.ordering_address_instructions_example()}
          maxLength={300}
          defaultValue={value('instructions')}
          errors={errors['address.instructions']}
        />
      </div>
    </div>
  );
}

/** Whether the shop comes there, at once and in words. */
function ZoneAnswer({ store, postcode }: { store: Store; postcode: string }) {
  const parsed = parsePostcode(postcode);
  const zone = parsed && findZone(store.delivery_zones, parsed);
  const words = zone
    ? m.ordering_zone_yes({
        fee: zone.fee === 0 ? m.ordering_free() : formatMoney(zone.fee, store.currency),
        minimum: formatMoney(zone.minimum_order, store.currency),
      })
    : parsed && m.ordering_outside_zones({ outward: parsed.outward });
  return (
    <p
      role="status"
      className={`num flex items-start gap-1.5 text-sm font-semibold empty:hidden ${zone ? 'text-good-text' : 'text-bad-text'}`}
    >
      {words && <Icon name={zone ? 'check' : 'info'} className="size-5" />}
      {words}
    </p>
  );
}
