import type { Item, Menu, Option, OptionGroup } from '#menu/menu-shapes.ts';
import type { Basket, BasketLine } from '#ordering/basket.ts';
import type { DeliveryZone, StaffStore } from '#store/contract.ts';
import type { StoredOffer } from '#store/offer-shapes.ts';
import { weekdays } from '#database/page-values.ts';

/** Small menus and shops for tests: every field has a harmless value, and a test names the ones it is about. */

export function anOption(id: string, rest: Partial<Option> = {}): Option {
  return {
    id,
    name: id,
    price: 0,
    is_default: false,
    is_available: true,
    unavailable_until: null,
    vat_rate: null,
    allergens: { contains: [], may_contain: [] },
    ...rest,
  };
}

export function aGroup(id: string, options: Option[], rest: Partial<OptionGroup> = {}): OptionGroup {
  return {
    id,
    name: id,
    pricing: 'adds',
    min_select: 0,
    max_select: 100,
    free_select: 0,
    max_per_option: 20,
    shown_when_option_id: null,
    options,
    ...rest,
  };
}

export function anItem(id: string, rest: Partial<Item> = {}): Item {
  return {
    id,
    name: id,
    kitchen_name: null,
    description: '',
    image: null,
    price: 1000,
    vat_rate: 2000,
    is_active: true,
    is_available: true,
    unavailable_until: null,
    allergens: { contains: [], may_contain: [] },
    dietary: [],
    spice_level: 0,
    min_age: null,
    prep_minutes: null,
    max_per_order: null,
    station: null,
    portions_left: null,
    option_groups: [],
    ...rest,
  };
}

export function aMenu(items: Item[], rest: Partial<Menu> = {}): Menu {
  const category = {
    id: 'c',
    menu_id: 'm',
    name: 'All',
    description: '',
    image: null,
    is_active: true,
    position: 0,
    items,
  };
  return {
    id: 'm',
    store_id: 's',
    name: 'Menu',
    description: '',
    is_active: true,
    position: 0,
    availability: null,
    categories: [category],
    ...rest,
  };
}

export function aZone(postcode_prefixes: string[], rest: Partial<DeliveryZone> = {}): DeliveryZone {
  return { name: 'Zone', postcode_prefixes, fee: 250, minimum_order: 0, free_over: null, extra_minutes: 0, ...rest };
}

/** In London, open 17:00 to 23:00 every day, 20 minutes to prepare, quarter-hour slots. */
export function aStore(rest: Partial<StaffStore> = {}): StaffStore {
  return {
    id: 's',
    name: 'Shop',
    slug: 'shop',
    legal_name: '',
    phone: '',
    email: '',
    address: { line1: '', line2: '', city: '', postcode: '' },
    location: { latitude: 52.37, longitude: -1.26 },
    location_confirmed: true,
    currency: 'GBP',
    timezone: 'Europe/London',
    day_starts_at: '05:00',
    operational_hours: weekdays.map((day) => ({ day, open: '17:00', close: '23:00' })),
    closures: [],
    special_hours: [],
    is_accepting_orders: true,
    paused_until: null,
    pause_reason: null,
    pause_cause: null,
    pauses: [],
    busy_extra_minutes: 0,
    prep_minutes: 20,
    answer_minutes: 10,
    auto_accept: false,
    last_order_minutes: 0,
    collection_enabled: true,
    delivery_enabled: true,
    delivery_zones: [aZone(['CV21'])],
    slot_minutes: 15,
    max_orders_per_slot: null,
    preorder_days: 2,
    payment_methods: { collection: ['cash', 'card'], delivery: ['cash', 'card'] },
    cash_max: null,
    max_open_orders_per_person: null,
    max_orders_per_address_hour: null,
    service_fee: 0,
    bag_fee: 0,
    vat_number: null,
    guest_checkout: false,
    google_review_url: null,
    allergens_text: '',
    pause_when_unattended: false,
    mails_takings: true,
    keep_guest_days: 90,
    keep_idle_account_months: 36,
    keep_audit_months: 72,
    receipt_header: '',
    receipt_footer: '',
    receipt_kitchen_size: 'normal',
    receipt_customer_size: 'normal',
    receipt_shows_logo: true,
    receipt_shows_map_code: true,
    receipt_shows_order_code: true,
    logo: null,
    accent_color: null,
    cover: null,
    company_number: null,
    version: 1,
    card_provider: 'sandbox',
    ...rest,
  };
}

/** `'size/large', 'toppings/ham*2'` */
export function choices(...texts: string[]): BasketLine['options'] {
  return texts.map((text) => {
    const [path = '', quantity = '1'] = text.split('*');
    const [option_group_id = '', option_id = ''] = path.split('/');
    return { option_group_id, option_id, quantity: Number(quantity) };
  });
}

export function aLine(item_id: string, rest: Partial<BasketLine> = {}): BasketLine {
  return { item_id, quantity: 1, note: '', options: [], ...rest };
}

export function aBasket(lines: BasketLine[], rest: Partial<Basket> = {}): Basket {
  return {
    store_id: 's',
    fulfilment_type: 'collection',
    requested_for: null,
    note: '',
    allergy_note: '',
    tip: 0,
    lines,
    ...rest,
  };
}

/** An offer without conditions, which combines with others. Its name and its id are its kind. */
export function anOffer(kind: StoredOffer['kind'], rest: Partial<StoredOffer> = {}): StoredOffer {
  return {
    id: kind,
    name: kind,
    kind,
    value: null,
    take: null,
    pay: null,
    parts: null,
    max_pieces: null,
    minimum_subtotal: null,
    fulfilment_types: null,
    channels: null,
    days: null,
    from_time: null,
    until_time: null,
    starts_at: null,
    ends_at: null,
    item_ids: null,
    category_ids: null,
    excluded_item_ids: null,
    by_code: false,
    code: null,
    first_order_only: false,
    customer_ids: null,
    max_uses: null,
    max_uses_per_person: null,
    max_uses_per_day: null,
    budget: null,
    combines: true,
    is_active: true,
    ...rest,
  };
}
