import type { DemoStore } from '#demo/demo-parts.ts';
import type { OpeningEntry } from '#store/hours-shapes.ts';
import { weekdays } from '#database/page-values.ts';

/** The demo store. Its street is invented, and Ofcom reserves its phone number for fiction. */
export const demoStore: DemoStore = {
  name: 'Coalfinch',
  slug: 'coalfinch',
  legal_name: 'Coalfinch Kitchen Limited',
  phone: '01632 960147',
  email: 'hello@coalfinch.example.com',
  address: { line1: '27 Fennel Row', line2: '', city: 'Rugby', postcode: 'CV21 2ZZ' },
  location: { latitude: 52.3712, longitude: -1.2643 },
  location_confirmed: true,
  currency: 'GBP',
  timezone: 'Europe/London',
  day_starts_at: '05:00',
  operational_hours: weekdays.flatMap((day): OpeningEntry[] => [
    { day, open: day === 'Sunday' ? '12:30' : '12:00', close: day === 'Sunday' ? '15:00' : '14:30' },
    { day, open: '16:30', close: eveningClose(day) },
  ]),
  closures: [],
  is_accepting_orders: true,
  prep_minutes: 20,
  answer_minutes: 10,
  auto_accept: false,
  last_order_minutes: 15,
  collection_enabled: true,
  delivery_enabled: true,
  delivery_zones: [
    {
      name: 'Town centre',
      postcode_prefixes: ['CV21 2', 'CV21 3'],
      fee: 149,
      minimum_order: 1000,
      free_over: 2500,
      extra_minutes: 10,
    },
    {
      name: 'Rugby',
      postcode_prefixes: ['CV21', 'CV22'],
      fee: 249,
      minimum_order: 1200,
      free_over: 3500,
      extra_minutes: 15,
    },
    {
      name: 'Villages',
      postcode_prefixes: ['CV23'],
      fee: 395,
      minimum_order: 2000,
      free_over: null,
      extra_minutes: 25,
    },
  ],
  slot_minutes: 15,
  max_orders_per_slot: null,
  preorder_days: 2,
  payment_methods: { collection: ['card', 'cash'], delivery: ['card', 'cash'] },
  cash_max: 6000,
  max_open_orders_per_person: 5,
  max_orders_per_address_hour: 30,
  service_fee: 0,
  bag_fee: 0,
  vat_number: 'GB 123 4567 82',
  guest_checkout: true,
  google_review_url: null,
  pause_when_unattended: false,
  mails_takings: true,
  keep_guest_days: 90,
  keep_idle_account_months: 36,
  keep_audit_months: 72,
  receipt_header: 'Charcoal grill, pizza and curry',
  receipt_footer: 'Thank you. Something not right? Ring us and we will put it right.',
  receipt_kitchen_size: 'normal',
  receipt_customer_size: 'normal',
  receipt_shows_logo: true,
  receipt_shows_map_code: true,
  receipt_shows_order_code: true,
};

function eveningClose(day: OpeningEntry['day']): string {
  if (day === 'Friday' || day === 'Saturday') return '01:00';
  return day === 'Sunday' ? '22:30' : '23:00';
}
