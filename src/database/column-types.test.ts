import { expectTypeOf, test } from 'vitest';
import type * as column from '#database/column-types.ts';
import type * as menu from '#menu/menu-shapes.ts';
import type { MenuChangeCall } from '#menu/contract-editing.ts';
import type { HistoryNote } from '#ordering/history-note.ts';
import type * as order from '#ordering/order.ts';
import type * as payment from '#payment/payment-state.ts';
import type * as refund from '#payment/refund.ts';
import type { SandboxRefusal } from '#payment/server/sandbox/refusal.ts';
import type * as store from '#store/contract.ts';
import type { DeliveryAddress } from '#store/delivery-address.ts';

// The compiler checks this: a schema that accepts more or less than its column does not build.
test('each column holds what the schema of its domain says', () => {
  expectTypeOf<column.OpeningEntry>().toEqualTypeOf<store.OpeningEntry>();
  expectTypeOf<column.Closure>().toEqualTypeOf<store.Closure>();
  expectTypeOf<column.StoreAddress>().toEqualTypeOf<store.StoreAddress>();
  expectTypeOf<column.DeliveryZone>().toEqualTypeOf<store.DeliveryZone>();
  expectTypeOf<column.FulfilmentType>().toEqualTypeOf<store.FulfilmentType>();
  expectTypeOf<column.PaymentMethod>().toEqualTypeOf<store.PaymentMethod>();
  expectTypeOf<column.DeliveryAddress>().toEqualTypeOf<DeliveryAddress>();
  expectTypeOf<column.Allergens>().toEqualTypeOf<menu.Allergens>();
  expectTypeOf<column.Dietary>().toEqualTypeOf<menu.Dietary>();
  expectTypeOf<column.Availability>().toEqualTypeOf<menu.Availability>();
  // Rows of an earlier release may name a call that no longer exists.
  expectTypeOf<MenuChangeCall>().toExtend<column.MenuChangeCall>();
  expectTypeOf<column.OrderStatus>().toEqualTypeOf<order.OrderStatus>();
  expectTypeOf<column.PaymentStatus>().toEqualTypeOf<order.PaymentStatus>();
  expectTypeOf<column.RejectReason>().toEqualTypeOf<order.RejectReason>();
  expectTypeOf<column.FollowUp>().toEqualTypeOf<order.FollowUp>();
  expectTypeOf<column.OrderChannel>().toEqualTypeOf<order.OrderChannel>();
  expectTypeOf<column.Contact>().toEqualTypeOf<order.Contact>();
  expectTypeOf<column.Line>().toEqualTypeOf<order.Line>();
  expectTypeOf<column.Discount>().toEqualTypeOf<order.Discount>();
  expectTypeOf<column.ChargedFee>().toEqualTypeOf<order.ChargedFee>();
  expectTypeOf<column.HistoryNote>().toEqualTypeOf<HistoryNote>();
  expectTypeOf<column.VatRow>().toEqualTypeOf<order.VatRow>();
  expectTypeOf<column.PrintCopy>().toEqualTypeOf<order.PrintCopy>();
  expectTypeOf<column.PrintStatus>().toEqualTypeOf<order.PrintStatus>();
  expectTypeOf<column.ProviderName>().toEqualTypeOf<payment.ProviderName>();
  expectTypeOf<column.PaymentState>().toEqualTypeOf<payment.PaymentState>();
  expectTypeOf<column.ProviderState>().toEqualTypeOf<payment.ProviderState>();
  expectTypeOf<column.OwedAct>().toEqualTypeOf<payment.OwedAct>();
  expectTypeOf<column.PaymentFailure>().toEqualTypeOf<payment.PaymentFailure>();
  expectTypeOf<column.RefundStatus>().toEqualTypeOf<refund.RefundStatus>();
  expectTypeOf<column.RefundKind>().toEqualTypeOf<refund.RefundKind>();
  expectTypeOf<column.RefundedLine>().toEqualTypeOf<refund.RefundedLine>();
  expectTypeOf<column.SandboxRefusal>().toEqualTypeOf<SandboxRefusal>();
});
