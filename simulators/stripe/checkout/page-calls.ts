import type Stripe from 'stripe';
import type { Books, World } from '../world.ts';
import { followIntent } from './sessions.ts';
import { afterAttempt, answerBank, type PageForm, type PageResult, paySession } from './pay.ts';
import { bankPage, messagePage, payPage } from './page.ts';

export interface PageAnswer {
  status: number;
  html?: string;
  /** Where the browser goes. */
  to?: string;
}

/** Answers the payer's browser: `/c/pay/{session}` and `/3d-secure/{intent}`. */
export function answerPage(world: World, method: string, path: string, form: URLSearchParams): PageAnswer | undefined {
  const [, first, second, third] = path.split('/');
  if (first === 'c' && second === 'pay' && third) {
    const found = findSession(world, third);
    return found ? answerCheckout(world, found.books, found.session, method, form) : nothing();
  }
  if (first === '3d-secure' && second) {
    const found = findIntent(world, second);
    return found ? answerBankPage(world, found.books, found.intent, method, form) : nothing();
  }
  return undefined;
}

function answerCheckout(
  world: World,
  books: Books,
  session: Stripe.Checkout.Session,
  method: string,
  form: URLSearchParams,
): PageAnswer {
  if (session.status === 'complete') {
    const to = (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
    return { status: 200, html: messagePage("You're all done here", 'This order is paid.', { to, name: 'Continue' }) };
  }
  if (session.status === 'expired') {
    const link = session.cancel_url ? { to: session.cancel_url, name: 'Back' } : undefined;
    return { status: 200, html: messagePage('Expired', 'This page has expired. Nothing was taken.', link) };
  }
  if (method !== 'POST') return { status: 200, html: payPage(books, session) };
  return show(books, session, paySession(world, books, session, readPageForm(form)));
}

/** The form's fields; what is missing is empty. */
export function readPageForm(form: URLSearchParams): PageForm {
  const text = (name: string) => form.get(name) ?? '';
  const bank = text('bank');
  return {
    method: text('method') || 'card',
    email: text('email'),
    name: text('name'),
    number: text('number'),
    expiry: text('expiry'),
    cvc: text('cvc'),
    save: form.has('save'),
    bank: bank === 'later' || bank === 'refuse' ? bank : 'approve',
  };
}

function answerBankPage(
  world: World,
  books: Books,
  intent: Stripe.PaymentIntent,
  method: string,
  form: URLSearchParams,
): PageAnswer {
  if (method !== 'POST') {
    if (intent.status === 'requires_action') return { status: 200, html: bankPage(intent) };
    return { status: 200, html: messagePage('3-D Secure', 'The bank does not ask any more.') };
  }
  const session = books.sessionOfIntent.get(intent.id);
  const returnUrl = intent.next_action?.redirect_to_url?.return_url;
  const result = answerBank(world, books, intent, form.get('answer') === 'approve');
  if (session) return show(books, session, afterAttempt(world, books, session, intent, result));
  followIntent(world, books, intent);
  if (returnUrl) return { status: 303, to: `${returnUrl}?payment_intent=${intent.id}` };
  return { status: 200, html: messagePage('3-D Secure', `The payment is ${intent.status}.`) };
}

function show(books: Books, session: Stripe.Checkout.Session, result: PageResult): PageAnswer {
  if ('to' in result) return { status: 303, to: result.to };
  return { status: 200, html: payPage(books, session, result.problem) };
}

function nothing(): PageAnswer {
  return { status: 404, html: messagePage('Not found', 'There is no such page.') };
}

export function findSession(world: World, id: string): { books: Books; session: Stripe.Checkout.Session } | undefined {
  for (const books of world.books.values()) {
    const session = books.tables['checkout.session'].get(id);
    if (session) return { books, session };
  }
  return undefined;
}

export function findIntent(world: World, id: string): { books: Books; intent: Stripe.PaymentIntent } | undefined {
  for (const books of world.books.values()) {
    const intent = books.tables.payment_intent.get(id);
    if (intent) return { books, intent };
  }
  return undefined;
}
