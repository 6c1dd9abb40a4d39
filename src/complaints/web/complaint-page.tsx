import { type FormEvent, useEffect, useState } from 'react';
import { v4 as randomId } from 'uuid';
import { AccountForm, AccountPageLayout } from '#accounts/web/account-form.tsx';
import { EmailField, NameField } from '#accounts/web/account-fields.tsx';
import { useSession } from '#accounts/web/session.ts';
import { type ComplaintSubject, complaintSubjects } from '#database/column-values.ts';
import { complaintAnswerDays } from '#complaints/complaint-rules.ts';
import {
  AllergyHelp,
  emptyOrderComplaint,
  type OrderComplaintDraft,
  OrderComplaintFields,
  useComplaintOrder,
} from '#complaints/web/complaint-order.tsx';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { orderSessionHeader } from '#ordering/web/order/stored-order-sessions.ts';
import { dateWords } from '#platform/date-words.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { Link, useQueryString } from '#platform/web/navigation.tsx';
import { useStore } from '#shop/web/shop.ts';
import { PhoneLink } from '#store/web/shop-parts.tsx';
import { InputField, TextAreaField } from '#ui/web/field.tsx';
import { formFieldPlainText, formFieldText } from '#ui/web/form-errors.ts';
import { personalStorageKeys } from '#accounts/web/personal-storage.ts';

interface Received {
  reference: string;
  email: string;
  due_at: string;
  isAllergy: boolean;
  /** The order that the complaint is about, if the sender may read it whole. */
  order: Pick<Order, 'id' | 'number'> | null;
}

const subjectWords: Record<ComplaintSubject, () => string> = {
  data: m.complaints_about_data,
  order: m.complaints_about_order,
  other: m.complaints_about_other,
};

export function ComplaintPage() {
  const [received, setReceived] = useState<Received | null>(null);
  return received ? (
    <Sent received={received} onAgain={() => setReceived(null)} />
  ) : (
    <ComplaintForm onReceived={setReceived} />
  );
}

function ComplaintForm({ onReceived }: { onReceived: (received: Received) => void }) {
  const { user } = useSession();
  const { phone } = useStore();
  const { draft, about, choose, order, number, ofOrder, changeOfOrder, keepText, send } = useComplaint();
  const sender = user?.id ?? order?.id ?? '';
  return (
    <AccountPageLayout
      title={m.complaints_title()}
      intro={<Intro phone={about === 'order' && ofOrder.isAllergy ? '' : phone} />}
    >
      <div onInput={keepText}>
        <AccountForm submitLabel={m.complaints_send()} onSubmit={async (form) => onReceived(await send(form))}>
          {(errors) => (
            <>
              <Subjects chosen={about} onChoose={choose} />
              {about === 'order' &&
                (order ? (
                  <p className="num font-semibold">{m.ordering_order_number({ number: order.number })}</p>
                ) : (
                  <InputField
                    name="order_number"
                    label={m.complaints_order_number()}
                    optional={m.complaints_optional()}
                    hint={m.complaints_order_number_hint()}
                    defaultValue={draft.order_number ?? number}
                    maxLength={20}
                    autoComplete="off"
                    errors={errors['order_number']}
                  />
                ))}
              {about === 'order' && (
                <OrderComplaintFields order={order} draft={ofOrder} onChange={changeOfOrder} phone={phone} />
              )}
              <div className="[&_textarea]:min-h-40">
                <TextAreaField
                  name="message"
                  label={about === 'order' ? m.complaints_message_order() : m.complaints_message()}
                  required
                  maxLength={4000}
                  defaultValue={draft.message}
                  data-missing={m.complaints_message_missing()}
                  errors={errors['message']}
                />
              </div>
              <NameField
                key={`name ${sender}`}
                name="name"
                defaultValue={draft.name ?? user?.name ?? order?.contact.name}
                errors={errors['name']}
              />
              <EmailField
                key={`email ${sender}`}
                name="email"
                hint={pickByMailServer(m.complaints_email_hint, m.complaints_email_hint_unsent)()}
                defaultValue={draft.email ?? user?.email ?? order?.contact.email}
                errors={errors['email']}
              />
            </>
          )}
        </AccountForm>
      </div>
      {about === 'data' && <p className="mt-6 text-sm text-ink-soft">{m.complaints_ico()}</p>}
    </AccountPageLayout>
  );
}

/** Returns the form's draft, the order that the page's URL names, and functions that store and send the form. */
function useComplaint() {
  const link = new URLSearchParams(useQueryString());
  const orderId = link.get('id') ?? '';
  const number = link.get('order')?.slice(0, 20) ?? '';
  const from = orderId || number;
  const { order, load, refetch } = useComplaintOrder(orderId);
  const draft = readComplaint(from);
  const [about, setAbout] = useState<ComplaintSubject>(() => subjectOf(draft.about, from));
  // Every attempt to send this form uses one idempotency key, which survives a reload.
  const [key, setKey] = useState(() => draft.key ?? randomId());
  const [ofOrder, setOfOrder] = useState<OrderComplaintDraft>(() => draft.ofOrder ?? emptyOrderComplaint);
  const keep = (changed: ComplaintDraft) => storeComplaint({ key, from, ...changed });
  const send = async (form: FormData): Promise<Received> => {
    try {
      // A complaint without its order rings no board, so the order is awaited.
      return await sendComplaint(form, { about, key, order: about === 'order' ? await load() : null, ofOrder });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'conflict') {
        // Another complaint has this key, so the next attempt makes a new complaint.
        const next = randomId();
        setKey(next);
        storeComplaint({ key: next });
      }
      if ([401, 403, 404].includes(error.status)) refetch();
      throw error;
    }
  };
  return {
    draft,
    about,
    order,
    number,
    ofOrder,
    send,
    choose: (subject: ComplaintSubject) => {
      setAbout(subject);
      keep({ about: subject });
    },
    changeOfOrder: (changed: OrderComplaintDraft) => {
      setOfOrder(changed);
      keep({ ofOrder: changed });
    },
    keepText: ({ target }: FormEvent) => {
      const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
      if (isField && target.name in typedFields) keep({ [target.name]: target.value });
    },
  };
}

interface ToSend {
  about: ComplaintSubject;
  key: string;
  order: Order | null;
  ofOrder: OrderComplaintDraft;
}

async function sendComplaint(form: FormData, { about, key, order, ofOrder }: ToSend): Promise<Received> {
  const number = formFieldText(form, 'order_number').trim();
  const lines = (order?.lines ?? []).flatMap(({ id, quantity }) => {
    const count = Math.min(ofOrder.pieces[id] ?? 0, quantity);
    return count > 0 ? [{ line_id: id, quantity: count }] : [];
  });
  const { data } = await api(
    'POST /v1/complaints',
    {
      key,
      about,
      name: formFieldPlainText(form, 'name'),
      email: formFieldText(form, 'email'),
      message: formFieldText(form, 'message'),
      ...(about === 'order' && {
        ...(order ? { order_id: order.id, lines } : number && { order_number: number }),
        ...(ofOrder.wish && { wish: ofOrder.wish }),
        is_allergy: ofOrder.isAllergy,
      }),
    },
    { timeout: 20_000, ...(order && { headers: orderSessionHeader(order.id) }) },
  );
  endComplaint();
  return { ...data, isAllergy: about === 'order' && ofOrder.isAllergy, order };
}

function subjectOf(typed: string | undefined, order: string): ComplaintSubject {
  return complaintSubjects.find((subject) => subject === typed) ?? (order ? 'order' : 'data');
}

function Subjects({ chosen, onChoose }: { chosen: ComplaintSubject; onChoose: (subject: ComplaintSubject) => void }) {
  return (
    <fieldset>
      <legend className="font-semibold">{m.complaints_about()}</legend>
      {complaintSubjects.map((subject) => (
        <label key={subject} className="flex min-h-11 items-center gap-3">
          <input
            type="radio"
            name="about"
            value={subject}
            checked={subject === chosen}
            onChange={() => onChoose(subject)}
            className="size-5 shrink-0 accent-accent-edge"
          />
          {subjectWords[subject]()}
        </label>
      ))}
    </fieldset>
  );
}

/** `phone`: empty if the form shows the emergency number below. */
function Intro({ phone }: { phone: string }) {
  return (
    <div className="grid gap-3">
      {phone && (
        <>
          <p className="rounded-box bg-bad-soft px-4 py-3 font-semibold text-bad-text">
            {m.complaints_urgent({ phone })}
          </p>
          <PhoneLink store={{ phone }} />
        </>
      )}
      <p>{pickByMailServer(m.complaints_intro, m.complaints_intro_unsent)({ days: complaintAnswerDays })}</p>
    </div>
  );
}

function Sent({ received, onAgain }: { received: Received; onAgain: () => void }) {
  const { timezone, phone } = useStore();
  const { reference, email, due_at: due, isAllergy, order } = received;
  const unsentWords = order ? m.complaints_sent_order_unsent : m.complaints_sent_unsent;
  const words = pickByMailServer(m.complaints_sent, unsentWords);
  useEffect(() => {
    scrollTo({ top: 0, behavior: 'instant' });
  }, []);
  return (
    <AccountPageLayout
      title={m.complaints_sent_title()}
      intro={<p role="status">{words({ reference, email, date: dateWords(due, timezone) })}</p>}
    >
      {isAllergy ? <AllergyHelp phone={phone} /> : <PhoneLink store={{ phone }} />}
      <div className="mt-6 flex flex-wrap gap-3">
        {order && (
          <Link href={`/orders/${order.id}`} className="btn btn-primary">
            {m.complaints_sent_back({ number: order.number })}
          </Link>
        )}
        <button type="button" className="btn btn-quiet" onClick={onAgain}>
          {m.complaints_sent_another()}
        </button>
        <Link href="/" className="btn btn-quiet">
          {m.platform_home()}
        </Link>
      </div>
    </AccountPageLayout>
  );
}

const storageKey = personalStorageKeys.complaintDraft;

const typedFields = { order_number: '', message: '', name: '', email: '' };

/**
 * The complaint form's draft, stored for this tab only. `key`: the complaint's idempotency key. `from`: the id or
 * number of the order that the page's URL names; empty if the URL names none.
 */
interface ComplaintDraft extends Partial<typeof typedFields> {
  key?: string;
  from?: string;
  about?: ComplaintSubject;
  ofOrder?: OrderComplaintDraft;
}

/**
 * Returns the stored draft. `from` is the order that the page's URL names; empty if the URL names none. If the draft is
 * about another order, only its text and its sender stay.
 */
function readComplaint(from: string): ComplaintDraft {
  const draft = read();
  if (from === '' || draft.from === from) return draft;
  const { message = '', name, email } = draft;
  return { message, ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
}

function storeComplaint(changed: ComplaintDraft): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ ...read(), ...changed }));
  } catch {
    // Without storage, a reload loses the draft, but the form still works.
  }
}

function endComplaint(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Without storage there is nothing to remove.
  }
}

function read(): ComplaintDraft {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as ComplaintDraft;
  } catch {
    return {};
  }
}
