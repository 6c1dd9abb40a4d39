import { SignedIn, User } from '#accounts/contract.ts';
import { Factors, Passkey, PasskeyAssertion } from '#accounts/factor-contract.ts';
import { Identity, SignInSetup } from '#accounts/provider-contract.ts';
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
import { Basket, BasketLine, PlaceOrder, Problem, Quote } from '#ordering/basket.ts';
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
import { Refund } from '#payment/refund.ts';
import { PaymentSetup } from '#payment/setup-contract.ts';
import {
  Closure,
  DeliveryZone,
  OpeningEntry,
  PaymentMethod,
  ShownStore,
  Slot,
  StaffStore,
  Store,
  StoreAddress,
} from '#store/contract.ts';

/** The schemas that have a name in the API's description; all others are written where they are used. */
export const apiSchemas = {
  Id,
  Instant,
  User,
  SignedIn,
  Factors,
  Passkey,
  PasskeyAssertion,
  Identity,
  SignInSetup,
  PaymentSetup,
  Complaint,
  Refund,
  ShownStore,
  StaffStore,
  Store,
  StoreAddress,
  OpeningEntry,
  Closure,
  DeliveryZone,
  PaymentMethod,
  Slot,
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
  PlaceOrder,
  Quote,
  Problem,
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
