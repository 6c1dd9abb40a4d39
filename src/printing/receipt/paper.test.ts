import { describe, expect, it } from 'vitest';
import { customerReceipt, kitchenReceipt } from '#printing/receipt/receipt.ts';
import type { ReceiptOptions, ReceiptOrder } from '#printing/receipt/order.ts';
import {
  collectionOrder,
  deliveryOrder,
  draftOrder,
  printedAt,
  sampleStore,
  scheduledOrder,
} from '#printing/testing/sample-receipts.ts';
import { renderReceipt } from '#printing/server/render-receipt.ts';

/** The whole paper as text, to be read and judged; sizes and white on black do not show in it. */
function paper(make: typeof kitchenReceipt, order: ReceiptOrder, options: Partial<ReceiptOptions> = {}): string {
  const source = make(order, sampleStore, { printedAt, ...options });
  return renderReceipt(source, { format: 'text', columns: options.columns ?? 48 }).replace(/ +$/gm, '');
}

describe('on 80 mm paper', () => {
  it('a collection as soon as possible, to be paid in cash: kitchen', () => {
    expect(paper(kitchenReceipt, collectionOrder)).toMatchInlineSnapshot(`
      "                   COLLECTION
                             #42
                       ASAP, ready by
                            18:25

      ------------------------------------------------
      1×     Cod and chips
             Large
             Mushy peas
      ------------------------------------------------
      2×     Can of cola
      ------------------------------------------------
                          3 dishes
      ------------------------------------------------
      Customer  Sam
      Phone     07700 900123
      Placed    18:02 on the website
      Payment   TO PAY £14.95
      ------------------------------------------------
                 Printed 21 Nov 2026, 18:04
      "
    `);
  });

  it('a collection as soon as possible, to be paid in cash: customer', () => {
    expect(paper(customerReceipt, collectionOrder)).toMatchInlineSnapshot(`
      "                The Clifton Fryer
                      Clifton Fryer Ltd
                      14 Church Street
                       Rugby, CV21 3PH
                        01788 555 014
                   VAT no. GB 123 4567 89
                 Fresh fish, fried to order
      ------------------------------------------------
                         COLLECTION
                             #42
                       ASAP, ready by
                            18:25
                 Ordered 21 Nov 2026, 18:02
      ------------------------------------------------
      Sam Okafor
      07700 900123
      ------------------------------------------------
      1×  Cod and chips                         £11.95
          Large
          Mushy peas
          Contains: fish, gluten
          May contain: milk
      2×  Can of cola                            £3.00
          £1.50 each
          Allergens: ask the shop
      ------------------------------------------------
      Subtotal                                  £14.95
      TOTAL                                     £14.95
      ------------------------------------------------
                        TO PAY £14.95
                           In cash
      ------------------------------------------------
      VAT included                          Net    VAT
      at 20%                             £12.46  £2.49
      ------------------------------------------------
      Allergic to something? Read what each dish
      contains before you eat. If anything is unclear,
      call 01788 555 014.
      ------------------------------------------------
                         Thank you!
          Tell us how it was: cliftonfryer.example
                 Printed 21 Nov 2026, 18:04
      "
    `);
  });

  it('a delivery with an allergy note, long names and many options, perhaps printed before: kitchen', () => {
    expect(paper(kitchenReceipt, deliveryOrder, { duplicate: true, copyNumber: 2 })).toMatchInlineSnapshot(`
      "               POSSIBLE DUPLICATE

                           COPY 2

                          DELIVERY
                            #107
                    ASAP, at the door by
                            18:50

                         ! ALLERGY !
        Severe PEANUT allergy, no traces please. Also
                         no sesame.

      ------------------------------------------------
      2×     Lamb shank rogan
             josh
             Extra hot
             Pilau rice
             Garlic and coriander naan ×2
             Mint yoghurt
             NOTE: one without any coriander on top
             please
             Contains: milk, gluten, mustard
             May contain: nuts, peanuts
      ------------------------------------------------
      1×     Chicken tikka masala
             Medium
             Plain rice
             Contains: milk, nuts
      ------------------------------------------------
      12×    Poppadom
             Contains none of the 14 allergens
      ------------------------------------------------
      1×     Mango lassi
             Allergens: ask the shop
      ------------------------------------------------
      Order note
      Please pack the sauces in a separate bag
      ------------------------------------------------
                          16 dishes
      ------------------------------------------------
      Customer  Priyanka
      Phone     +44 7700 900456
      Postcode  CV21 3QN
      Placed    18:02 in the app
      Payment   PAID
      ------------------------------------------------
                 Printed 21 Nov 2026, 18:04
      "
    `);
  });

  it('a delivery with an allergy note, discount, fees and tip, paid by card: customer', () => {
    expect(paper(customerReceipt, deliveryOrder)).toMatchInlineSnapshot(`
      "                The Clifton Fryer
                      Clifton Fryer Ltd
                      14 Church Street
                       Rugby, CV21 3PH
                        01788 555 014
                   VAT no. GB 123 4567 89
                 Fresh fish, fried to order
      ------------------------------------------------
                          DELIVERY
                            #107
                    ASAP, at the door by
                            18:50
                 Ordered 21 Nov 2026, 18:02
      ------------------------------------------------
      Priyanka Raghunathan-Oyelaran
      +44 7700 900456
      Flat 3b, The Old Ropeworks
      118 Clifton Road
      Rugby
      CV21 3QN
      Instructions: Gate code 4471. Please knock, the
      bell does not work and the baby sleeps.
      https://www.google.com/maps/dir/?api=1&destination=Flat%203b%2C%20The%20Old%20Ropeworks%2C%20118%20Clifton%20Road%2C%20Rugby%2C%20CV21%203QN
                   Scan for the way there
      ------------------------------------------------
      2×  Slow-Cooked Lamb Shank Rogan Josh     £26.90
          with Fenugreek and Kashmiri Chilli
          £13.45 each
          Extra hot
          Pilau rice
          Garlic and coriander naan ×2
          Mint yoghurt
          Note: one without any coriander on top
          please
          Contains: milk, gluten, mustard
          May contain: nuts, peanuts
      1×  Chicken tikka masala                  £10.95
          Medium
          Plain rice
          Contains: milk, nuts
      12× Poppadom                               £9.60
          £0.80 each
          Contains none of the 14 allergens
      1×  Mango lassi                            £2.95
          Allergens: ask the shop
      ------------------------------------------------
      Subtotal                                  £50.40
      10% off your first order                  -£5.04
      Delivery                                   £2.50
      Bag                                        £0.10
      Tip                                        £2.00
      TOTAL                                     £49.96
      ------------------------------------------------
                            PAID
                By card, nothing more to pay
      ------------------------------------------------
      VAT included                          Net    VAT
      at 20%                             £32.77  £6.55
      at 0%                               £8.64  £0.00
      ------------------------------------------------
      Order note
      Please pack the sauces in a separate bag
      ------------------------------------------------
                         ! ALLERGY !
        Severe PEANUT allergy, no traces please. Also
                         no sesame.

      Allergic to something? Read what each dish
      contains before you eat. If anything is unclear,
      call 01788 555 014.
      ------------------------------------------------
                         Thank you!
          Tell us how it was: cliftonfryer.example
                 Printed 21 Nov 2026, 18:04
      "
    `);
  });

  it('a pre-order for tomorrow with a meal deal: kitchen', () => {
    expect(paper(kitchenReceipt, scheduledOrder)).toMatchInlineSnapshot(`
      "                   COLLECTION
                             #8
                     PRE-ORDER, ready by
                         Sun 22 Nov
                            12:30

      ------------------------------------------------
      1×     Family meal deal
             Margherita 16"
             Pepperoni and ’nduja 16"
             Garlic bread with cheese
             Potato wedges ×2
             Chicken wings (10), BBQ
             Coleslaw
             Lemonade 1.5 l
             Tiramisù ×4
             NOTE: pepperoni half and half with
             jalapeños
      ------------------------------------------------
                           1 dish
      ------------------------------------------------
      Customer  Sam
      Phone     07700 900123
      Placed    18:02 by phone
      Payment   PAID
      ------------------------------------------------
                 Printed 21 Nov 2026, 18:04
      "
    `);
  });

  it('a basket that was not placed: kitchen', () => {
    expect(paper(kitchenReceipt, draftOrder, { notAnOrder: true })).toMatchInlineSnapshot(`
      "                  NOT AN ORDER

                         COLLECTION
                            ASAP

      ------------------------------------------------
      1×     Cod and chips
             Large
             Mushy peas
      ------------------------------------------------
      2×     Can of cola
      ------------------------------------------------
                          3 dishes
      ------------------------------------------------
                 Printed 21 Nov 2026, 18:04

                        NOT AN ORDER
      "
    `);
  });
});

describe('on 58 mm paper', () => {
  it('a delivery with an allergy note, long names and many options: kitchen', () => {
    expect(paper(kitchenReceipt, deliveryOrder, { columns: 32 })).toMatchInlineSnapshot(`
      "            DELIVERY
                    #107
            ASAP, at the door by
                    18:50

                 ! ALLERGY !
          Severe PEANUT allergy, no
       traces please. Also no sesame.

      --------------------------------
      2×     Lamb shank rogan josh
             Extra hot
             Pilau rice
             Garlic and coriander
             naan ×2
             Mint yoghurt
             NOTE: one without any
             coriander on top please
             Contains: milk, gluten,
             mustard
             May contain: nuts,
             peanuts
      --------------------------------
      1×     Chicken tikka masala
             Medium
             Plain rice
             Contains: milk, nuts
      --------------------------------
      12×    Poppadom
             Contains none of the 14
             allergens
      --------------------------------
      1×     Mango lassi
             Allergens: ask the shop
      --------------------------------
      Order note
      Please pack the sauces in a
      separate bag
      --------------------------------
                  16 dishes
      --------------------------------
      Customer  Priyanka
      Phone     +44 7700 900456
      Postcode  CV21 3QN
      Placed    18:02 in the app
      Payment   PAID
      --------------------------------
         Printed 21 Nov 2026, 18:04
      "
    `);
  });

  it('a delivery with an allergy note, discount, fees and tip, paid by card: customer', () => {
    expect(paper(customerReceipt, deliveryOrder, { columns: 32 })).toMatchInlineSnapshot(`
      "           The Clifton
                    Fryer
              Clifton Fryer Ltd
              14 Church Street
               Rugby, CV21 3PH
                01788 555 014
           VAT no. GB 123 4567 89
         Fresh fish, fried to order
      --------------------------------
                  DELIVERY
                    #107
            ASAP, at the door by
                    18:50
         Ordered 21 Nov 2026, 18:02
      --------------------------------
      Priyanka Raghunathan-Oyelaran
      +44 7700 900456
      Flat 3b, The Old Ropeworks
      118 Clifton Road
      Rugby
      CV21 3QN
      Instructions: Gate code 4471.
      Please knock, the bell does not
      work and the baby sleeps.
      https://www.google.com/maps/dir/?api=1&destination=Flat%203b%2C%20The%20Old%20Ropeworks%2C%20118%20Clifton%20Road%2C%20Rugby%2C%20CV21%203QN
           Scan for the way there
      --------------------------------
      2×  Slow-Cooked Lamb      £26.90
          Shank Rogan Josh with
          Fenugreek and
          Kashmiri Chilli
          £13.45 each
          Extra hot
          Pilau rice
          Garlic and coriander naan ×2
          Mint yoghurt
          Note: one without any
          coriander on top please
          Contains: milk, gluten,
          mustard
          May contain: nuts, peanuts
      1×  Chicken tikka masala  £10.95
          Medium
          Plain rice
          Contains: milk, nuts
      12× Poppadom               £9.60
          £0.80 each
          Contains none of the 14
          allergens
      1×  Mango lassi            £2.95
          Allergens: ask the shop
      --------------------------------
      Subtotal                  £50.40
      10% off your first order  -£5.04
      Delivery                   £2.50
      Bag                        £0.10
      Tip                        £2.00
      TOTAL                     £49.96
      --------------------------------
                    PAID
        By card, nothing more to pay
      --------------------------------
      VAT included          Net    VAT
      at 20%             £32.77  £6.55
      at 0%               £8.64  £0.00
      --------------------------------
      Order note
      Please pack the sauces in a
      separate bag
      --------------------------------
                 ! ALLERGY !
          Severe PEANUT allergy, no
       traces please. Also no sesame.

      Allergic to something? Read what
      each dish contains before you
      eat. If anything is unclear,
      call 01788 555 014.
      --------------------------------
                 Thank you!
             Tell us how it was:
            cliftonfryer.example
         Printed 21 Nov 2026, 18:04
      "
    `);
  });

  it('a pre-order for tomorrow with a meal deal: customer', () => {
    expect(paper(customerReceipt, scheduledOrder, { columns: 32 })).toMatchInlineSnapshot(`
      "           The Clifton
                    Fryer
              Clifton Fryer Ltd
              14 Church Street
               Rugby, CV21 3PH
                01788 555 014
           VAT no. GB 123 4567 89
         Fresh fish, fried to order
      --------------------------------
                 COLLECTION
                     #8
             PRE-ORDER, ready by
                 Sun 22 Nov
                    12:30
         Ordered 21 Nov 2026, 18:02
      --------------------------------
      Sam Okafor
      07700 900123
      --------------------------------
      1×  Family meal deal      £34.95
          Margherita 16"
          Pepperoni and ’nduja 16"
          Garlic bread with cheese
          Potato wedges ×2
          Chicken wings (10), BBQ
          Coleslaw
          Lemonade 1.5 l
          Tiramisù ×4
          Note: pepperoni half and
          half with jalapeños
          Contains: gluten, milk,
          eggs, celery, mustard
          May contain: soya, sesame,
          nuts
      --------------------------------
      Subtotal                  £34.95
      TOTAL                     £34.95
      --------------------------------
                    PAID
                   By card
      --------------------------------
      VAT included          Net    VAT
      at 20%             £29.12  £5.83
      --------------------------------
      Allergic to something? Read what
      each dish contains before you
      eat. If anything is unclear,
      call 01788 555 014.
      --------------------------------
                 Thank you!
             Tell us how it was:
            cliftonfryer.example
         Printed 21 Nov 2026, 18:04
      "
    `);
  });
});
