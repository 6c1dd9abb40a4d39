import { type FormEvent, useState } from 'react';
import { v4 as randomId } from 'uuid';
import { AccountForm, AccountPageLayout } from '#accounts/web/account-form.tsx';
import { EmailField, NameField } from '#accounts/web/account-fields.tsx';
import { useSession } from '#accounts/web/session.ts';
import { type ComplaintSubject, complaintSubjects } from '#database/column-values.ts';
import { complaintAnswerDays } from '#complaints/complaint-rules.ts';
import { mailPromiseText } from '#mail/web/mail-promise.ts';
import { m } from '#messages';
import { dateWords } from '#platform/date-words.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { Link, useQueryString } from '#platform/web/navigation.tsx';
import { useStore } from '#shop/web/shop.ts';
import { PhoneLink } from '#store/web/shop-parts.tsx';
import { InputField, TextField } from '#ui/web/field.tsx';
import { formFieldPlainText, formFieldText } from '#ui/web/form-errors.ts';
import { personalStorageKeys } from '#accounts/web/person-keys.ts';

interface Received {
  reference: string;
  email: string;
  due_at: string;
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
  const store = useStore();
  const order = new URLSearchParams(useQueryString()).get('order')?.slice(0, 20) ?? '';
  const draft = readComplaint(order);
  const [about, setAbout] = useState<ComplaintSubject>(() => subjectOf(draft['about'], order));
  // Every attempt to send this form uses one idempotency key, which survives a reload.
  const [key] = useState(() => draft['key'] ?? randomId());
  const keep = ({ target }: FormEvent): void => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    storeComplaint({ key, from: order, [target.name]: target.value });
  };
  const send = async (form: FormData) => onReceived(await sendComplaint(form, { about, key }));
  return (
    <AccountPageLayout title={m.complaints_title()} intro={<Intro phone={store.phone} />}>
      <div onInput={keep}>
        <AccountForm submitLabel={m.complaints_send()} onSubmit={send}>
          {(errors) => (
            <>
              <Subjects chosen={about} onChoose={setAbout} />
              {about === 'order' && (
                <InputField
                  name="order_number"
                  label={m.complaints_order_number()}
                  optional={m.complaints_optional()}
                  hint={m.complaints_order_number_hint()}
                  defaultValue={draft['order_number'] ?? order}
                  maxLength={20}
                  autoComplete="off"
                  errors={errors['order_number']}
                />
              )}
              <div className="[&_textarea]:min-h-40">
                <TextField
                  name="message"
                  label={m.complaints_message()}
                  required
                  maxLength={4000}
                  defaultValue={draft['message']}
                  data-missing={m.complaints_message_missing()}
                  errors={errors['message']}
                />
              </div>
              <NameField
                key={`name ${user?.id ?? ''}`}
                name="name"
                defaultValue={draft['name'] ?? user?.name}
                errors={errors['name']}
              />
              <EmailField
                key={`email ${user?.id ?? ''}`}
                name="email"
                hint={m.complaints_email_hint()}
                defaultValue={draft['email'] ?? user?.email}
                errors={errors['email']}
              />
            </>
          )}
        </AccountForm>
      </div>
      <p className="mt-6 text-sm text-ink-soft">{m.complaints_ico()}</p>
    </AccountPageLayout>
  );
}

async function sendComplaint(
  form: FormData,
  { about, key }: { about: ComplaintSubject; key: string },
): Promise<Received> {
  const number = formFieldText(form, 'order_number').trim();
  const { data } = await api(
    'POST /v1/complaints',
    {
      key,
      about,
      name: formFieldPlainText(form, 'name'),
      email: formFieldText(form, 'email'),
      message: formFieldText(form, 'message'),
      ...(about === 'order' && number && { order_number: number }),
    },
    { timeout: 20_000 },
  ).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'conflict') forgetComplaintKey();
    throw error;
  });
  endComplaint();
  return data;
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
      <p>{mailPromiseText(m.complaints_intro, m.complaints_intro_unsent)({ days: complaintAnswerDays })}</p>
    </div>
  );
}

function Sent({ received, onAgain }: { received: Received; onAgain: () => void }) {
  const { timezone } = useStore();
  const { reference, email, due_at: due } = received;
  return (
    <AccountPageLayout
      title={m.complaints_sent_title()}
      intro={<p role="status">{m.complaints_sent({ reference, email, date: dateWords(due, timezone) })}</p>}
    >
      <div className="flex flex-wrap gap-3">
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

/**
 * The complaint form's typed fields, its idempotency `key`, and the order number in the page's link (`from`), stored
 * for this tab only.
 */
type ComplaintDraft = Readonly<Record<string, string>>;

/**
 * Returns the stored draft. `order` is the order number in the page's link, or empty. If the draft is about another
 * order, its order number, subject and key are dropped.
 */
function readComplaint(order: string): ComplaintDraft {
  const draft = read();
  if (order === '' || draft['from'] === order) return draft;
  const { about: _about, order_number: _number, key: _key, ...rest } = draft;
  return rest;
}

function storeComplaint(changed: ComplaintDraft): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ ...read(), ...changed }));
  } catch {
    // Without storage, a reload loses the draft, but the form still works.
  }
}

/**
 * Removes the draft's key after a 409, because another complaint has this key. After a reload, the form makes a new
 * key.
 */
function forgetComplaintKey(): void {
  const { key: _key, ...rest } = read();
  endComplaint();
  storeComplaint(rest);
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
