import { Backups } from '#backup/contract.ts';
import { apiErrors, errorMembers } from '#api-errors.ts';
import { apiExamples, exampleValues } from '#api-examples.ts';
import { contract } from '#contract.ts';
import type { Access, Endpoints } from '#platform/http/endpoint.ts';
import { type ApiInfo, describeApi } from '#platform/http/openapi.ts';
import { SignInAnswer, User } from '#accounts/contract.ts';
import { Factors, Passkey, PasskeyAssertion } from '#accounts/factor-contract.ts';
import { Identity, SignInProviderSetup } from '#accounts/provider-contract.ts';
import { BackupPlace } from '#backup/place-contract.ts';
import { Complaint } from '#complaints/contract.ts';
import { PrintPreview } from '#printing/contract.ts';
import { Printer, PrinterWithSecret } from '#printing/printer.ts';
import { Id, Instant } from '#platform/http/shapes.ts';
import {
  AllergenCode,
  Allergens,
  Availability,
  Category,
  Dietary,
  Item,
  Menu,
  Option,
  OptionGroup,
} from '#menu/menu-shapes.ts';
import { ShownCategory, ShownGroup, ShownItem, ShownMenu, ShownOption } from '#menu/contract-parts.ts';
import { ShownGuestOrder, ShownOrder } from '#ordering/contract.ts';
import { Basket, BasketLine, PlaceOrderBody, BasketProblem, BasketQuote } from '#ordering/basket.ts';
import { DeliveryAddress } from '#store/delivery-address.ts';
import {
  Contact,
  Discount,
  Fee,
  GuestOrder,
  HistoryEntry,
  Line,
  LineOption,
  Order,
  OrderChannel,
  OrderStatus,
  PaymentStatus,
  RejectReason,
  VatRow,
} from '#ordering/order.ts';
import { Print, PrintFault } from '#ordering/print.ts';
import { Offer } from '#offers/contract.ts';
import { MenuDraftRow } from '#menu/contract.ts';
import { OrderPayments } from '#payment/contract.ts';
import { Refund } from '#payment/refund.ts';
import { SinceCopy, UnknownPayment } from '#payment/since-copy.ts';
import { Restored } from '#backup/contract.ts';
import { PaymentSetup } from '#payment/setup-contract.ts';
import { PublicOffer } from '#store/offer-shapes.ts';
import { Closure, OpeningEntry, SpecialDay, WayPause } from '#store/hours-shapes.ts';
import { DeliveryZone, PaymentMethod, ShownStore, Slot, StaffStore, Store, StoreAddress } from '#store/contract.ts';

const about = {
  accounts: "Who signs in, and the owner's first visit.",
  store: 'The shops: hours, delivery, pauses, slots.',
  menu: 'Menus, categories, items, options and option groups.',
  ordering: 'Baskets and orders, from the quote to the door.',
  offers: 'Money off: conditions, and how much.',
  printing: 'Receipts, printers and the print ledger.',
  kitchen: 'The order board.',
  payment: 'Paying by card.',
  realtime: 'Who may listen to what.',
  'app-release': 'Versions of the Android app.',
  uploads: 'Pictures.',
  mail: 'Mail of a shop that has no mail server.',
  reports: 'Takings by day, hour, item and VAT rate, and tables for the accountant.',
  people: 'Customers, staff and their invitations.',
  audit: 'Who changed what.',
};

const access: Record<Access, string> = {
  guest: 'Open to everyone.',
  customer: 'For anyone signed in.',
  store_admin: "For the store's staff.",
  admin: 'For admins.',
};

export const apiInfo: ApiInfo = {
  title: 'Hatch API',
  version: '1',
  description: 'Every call of this shop. Times are ISO 8601 in UTC, money is an integer in pence, ids are UUIDs.',
  license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
};

export function describeWholeApi(groups: Record<string, Endpoints>): Record<string, unknown> {
  return describeApi(contract, groups, apiInfo, {
    schemas: apiSchemas,
    examples: apiExamples,
    exampleWords: exampleValues,
    groups: about,
    access,
    health: {
      well: 'Whether the shop can take orders. Requests from its own machine get the versions, too.',
      unwell: 'It cannot, for now.',
    },
    errors: apiErrors,
    errorMembers,
  });
}

/** The schemas to which the API description refers by name. All other schemas are repeated at each use. */
const apiSchemas = {
  Id,
  Instant,
  User,
  SignedIn: SignInAnswer,
  Factors,
  Passkey,
  PasskeyAssertion,
  Identity,
  BackupPlace,
  SignInSetup: SignInProviderSetup,
  PaymentSetup,
  Backups,
  Complaint,
  Refund,
  OrderPayments,
  Restored,
  SinceCopy,
  UnknownPayment,
  ShownStore,
  StaffStore,
  Store,
  StoreAddress,
  OpeningEntry,
  Closure,
  SpecialDay,
  WayPause,
  DeliveryZone,
  StoreOffer: PublicOffer,
  Offer,
  PaymentMethod,
  Slot,
  MenuDraft: MenuDraftRow,
  MenuCore: Menu,
  Menu: ShownMenu,
  CategoryCore: Category,
  Category: ShownCategory,
  Availability,
  ItemInCategory: Item,
  Item: ShownItem,
  OptionGroupInItem: OptionGroup,
  OptionGroup: ShownGroup,
  OptionInGroup: Option,
  Option: ShownOption,
  AllergenCode,
  Allergens,
  Dietary,
  Basket,
  BasketLine,
  PlaceOrder: PlaceOrderBody,
  Quote: BasketQuote,
  Problem: BasketProblem,
  Order,
  GuestOrder,
  OrderWithStore: ShownOrder,
  GuestOrderWithStore: ShownGuestOrder,
  OrderStatus,
  OrderChannel,
  PaymentStatus,
  RejectReason,
  Contact,
  DeliveryAddress,
  Line,
  LineOption,
  Discount,
  Fee,
  VatRow,
  HistoryEntry,
  Print,
  PrintPreview,
  PrintFault,
  Printer,
  PrinterWithSecret,
};
