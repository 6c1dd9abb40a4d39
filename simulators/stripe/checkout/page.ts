import type Stripe from 'stripe';
import type { Books } from '../world.ts';
import { idIn } from '../world.ts';
import { buttonsOf, savedMethods } from './pay.ts';

/** The pages that a payer sees, in plain HTML: enough for a browser test, or for trying a shop by hand. */

const buttonNames: Readonly<Record<string, string>> = {
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  link: 'Link',
  pay_by_bank: 'Pay by Bank',
};

const submitNames: Readonly<Record<string, string>> = { book: 'Book', donate: 'Donate', subscribe: 'Subscribe' };

/** A session that can be paid: the order's lines, the ways to pay, and what went wrong with the last try. */
export function payPage(books: Books, session: Stripe.Checkout.Session, problem?: string): string {
  const email = session.customer_email ?? books.tables.customer.get(idIn(session.customer) ?? '')?.email ?? '';
  const cancel = session.cancel_url ? `<p><a href="${escape(session.cancel_url)}">Back</a></p>` : '';
  const body = [
    problem ? `<p role="alert">${escape(problem)}</p>` : '',
    orderOf(books, session),
    cancel,
    // The card comes first: Enter presses the first button.
    // The bank's page answers with this one as well.
    `<form method="post" action="/c/pay/${escape(session.id)}" aria-label="Payment">
<p><label>Email <input type="email" name="email" value="${escape(email)}"${email ? ' readonly' : ' required'}></label></p>
${cardFields(session)}
${savedCards(books, session)}
${buttons(session)}
</form>
<p>Test cards: 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined, 4000 0000 0000 3220 asks at the bank.</p>`,
  ];
  return document('Checkout', session.locale, body.join('\n'), books.livemode);
}

function orderOf(books: Books, session: Stripe.Checkout.Session): string {
  const rows = (books.sessions.get(session.id)?.lines ?? []).map(
    ({ description, quantity, amount_subtotal: amount }) =>
      `<tr><td>${escape(description ?? '')}</td><td>${quantity}</td><td>${pounds(amount)}</td></tr>`,
  );
  const discount = session.total_details?.amount_discount ?? 0;
  if (discount > 0) rows.push(`<tr><td>Discount</td><td></td><td>−${pounds(discount)}</td></tr>`);
  return `<table><caption>Your order</caption>
<thead><tr><th>Item</th><th>Quantity</th><th>Amount</th></tr></thead>
<tbody>${rows.join('')}</tbody>
<tfoot><tr><th colspan="2">Total due</th><td>${pounds(session.amount_total ?? 0)}</td></tr></tfoot></table>`;
}

function buttons(session: Stripe.Checkout.Session): string {
  const own = buttonsOf(session).map(
    (button) => `<button name="method" value="${button}" formnovalidate>${buttonNames[button]}</button>`,
  );
  const bank = session.payment_method_types.includes('pay_by_bank')
    ? `<p><label>At the bank <select name="bank">
<option value="approve">Approve</option><option value="later">Approve, the money comes later</option>
<option value="refuse">Refuse</option></select></label></p>`
    : '';
  return `<fieldset><legend>Pay another way</legend>${own.join(' ')}${bank}</fieldset>`;
}

function savedCards(books: Books, session: Stripe.Checkout.Session): string {
  const saved = savedMethods(books, session).map(
    ({ id, card }) =>
      `<button name="method" value="${id}" formnovalidate>Pay with saved ${card?.brand ?? 'Link'} ending ${card?.last4 ?? ''}</button>`,
  );
  return saved.length > 0 ? `<fieldset><legend>Saved cards</legend>${saved.join(' ')}</fieldset>` : '';
}

function cardFields(session: Stripe.Checkout.Session): string {
  if (!session.payment_method_types.includes('card')) return '';
  const canSave = session.saved_payment_method_options?.payment_method_save === 'enabled';
  const save = canSave
    ? '<p><label><input type="checkbox" name="save" value="on"> Save my card for next time</label></p>'
    : '';
  const submit = submitNames[session.submit_type ?? ''] ?? 'Pay';
  return `<fieldset><legend>Card</legend>
<p><label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number"></label></p>
<p><label>Expiry (MM/YY) <input name="expiry" autocomplete="cc-exp" placeholder="12/34"></label></p>
<p><label>CVC <input name="cvc" inputmode="numeric" autocomplete="cc-csc"></label></p>
<p><label>Cardholder name <input name="name" autocomplete="cc-name"></label></p>
${save}
<button name="method" value="card">${submit} ${pounds(session.amount_total ?? 0)}</button></fieldset>`;
}

/** The bank asks whether it is the cardholder who pays. */
export function bankPage(intent: Stripe.PaymentIntent): string {
  return document(
    '3-D Secure',
    null,
    `<p>Your bank asks: do you want to pay ${pounds(intent.amount)}?</p>
<form method="post" aria-label="3-D Secure"><button name="answer" value="approve">Approve</button>
<button name="answer" value="fail">Fail</button></form>`,
    intent.livemode,
  );
}

/** A page without a form: the session is over, or there never was one. */
export function messagePage(title: string, text: string, link?: { to: string; name: string }): string {
  const anchor = link ? `<p><a href="${escape(link.to)}">${escape(link.name)}</a></p>` : '';
  return document(title, null, `<p>${escape(text)}</p>${anchor}`, false);
}

function document(title: string, locale: string | null, body: string, livemode: boolean): string {
  const language = locale && locale !== 'auto' ? locale : 'en';
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title} – local Stripe</title>
<style>body{font:16px sans-serif;max-width:32rem;margin:2rem auto;padding:0 1rem}button,input,select{font:inherit;padding:.4rem}</style>
</head><body><h1>${title}</h1><p>${livemode ? 'LIVE (local)' : 'TEST MODE'}</p>${body}</body></html>`;
}

function pounds(pence: number): string {
  return `£${(pence / 100).toFixed(2)}`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
