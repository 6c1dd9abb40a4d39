import type { Field } from '#store/store-changes.ts';

/** The settings that each section of the page saves, in the order of the page. */
export const sectionFields = {
  now: [],
  hours: ['operational_hours', 'day_starts_at', 'timezone'],
  closures: ['closures'],
  view: [],
  zones: ['delivery_zones', 'location', 'location_confirmed'],
  slots: ['prep_minutes', 'last_order_minutes', 'slot_minutes', 'max_orders_per_slot', 'preorder_days'],
  ordering: [
    'collection_enabled',
    'delivery_enabled',
    'payment_methods',
    'cash_max',
    'max_open_orders_per_person',
    'max_orders_per_address_hour',
    'guest_checkout',
    'service_fee',
    'bag_fee',
    'answer_minutes',
    'auto_accept',
    'pause_when_unattended',
    'mails_takings',
  ],
  contact: ['name', 'legal_name', 'company_number', 'phone', 'email', 'address', 'google_review_url', 'allergens_text'],
  receipts: [
    'receipt_kitchen_size',
    'receipt_customer_size',
    'receipt_shows_logo',
    'receipt_shows_map_code',
    'receipt_shows_order_code',
    'vat_number',
    'receipt_header',
    'receipt_footer',
  ],
  kept: ['keep_guest_days', 'keep_idle_account_months', 'keep_audit_months'],
  look: ['logo', 'cover', 'accent_color'],
} as const satisfies Record<string, readonly Field[]>;

export type SectionName = keyof typeof sectionFields;
