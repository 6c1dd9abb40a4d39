import type { Basket } from '#ordering/basket.ts';
import type { OrderBody } from '#ordering/web/send-order.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import type { PaymentMethod } from '#store/contract.ts';
import { nameIn, textOf } from '#ui/web/form-errors.ts';

/** The order as the form says it, at the price that was shown. */
export function toOrder(
  form: FormData,
  basket: Basket,
  session: string,
  method: PaymentMethod,
  total: number,
): OrderBody {
  const isDelivery = basket.fulfilment_type === 'delivery';
  return {
    ...basket,
    ...(nativeShell().app && { channel: 'app' as const }),
    session,
    contact: {
      name: nameIn(form, 'contact.name'),
      phone: textOf(form, 'contact.phone'),
      email: textOf(form, 'contact.email'),
    },
    address: isDelivery
      ? {
          line1: textOf(form, 'address.line1'),
          line2: textOf(form, 'address.line2'),
          city: textOf(form, 'address.city'),
          postcode: textOf(form, 'address.postcode'),
          instructions: textOf(form, 'address.instructions'),
        }
      : null,
    payment_method: method,
    note: textOf(form, 'note'),
    allergy_note: textOf(form, 'allergy_note'),
    age_confirmed: form.has('age_confirmed'),
    expected_total: total,
  };
}
