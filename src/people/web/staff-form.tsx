import type { StaffRole } from '#database/column-values.ts';
import { Button, Checkbox, Radio, TextInput } from '@mantine/core';
import { m } from '#messages';
import { SideSheet } from '#ui/web/office/dialogs.tsx';
import classes from '#people/web/people.module.css';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { StaffMember } from '#people/contract.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { formFailureOf, noFormFailure, withoutFieldErrors } from '#ui/web/form-errors.ts';

interface FormProps extends StaffFormOf {
  onClose: () => void;
}

export function StaffForm({ onClose, ...of }: FormProps) {
  const { member, isSelf, stores } = of;
  const { draft, change, said, message, isSending, form, submit } = useStaffDraft(of);
  return (
    <SideSheet opened onClose={onClose} position="right" title={member ? member.name : m.people_invite()}>
      <form
        ref={form}
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextInput
          data-autofocus
          label={m.people_name()}
          autoComplete="off"
          maxLength={80}
          value={draft.name}
          error={said('name')}
          onChange={(event) => change('name', event.currentTarget.value)}
        />
        {member ? (
          <p>{member.email}</p>
        ) : (
          <TextInput
            label={m.people_email()}
            description={m.people_email_hint()}
            type="email"
            autoComplete="off"
            maxLength={120}
            value={draft.email}
            error={said('email')}
            onChange={(event) => change('email', event.currentTarget.value)}
          />
        )}
        {isSelf ? (
          <p>{m.people_not_yourself()}</p>
        ) : (
          <RoleField role={draft.role} onChange={(chosen) => change('role', chosen)} />
        )}
        {draft.role === 'store_admin' && (
          <Checkbox.Group
            label={m.people_shops()}
            error={said('store_ids')}
            value={draft.store_ids}
            onChange={(ids) => change('store_ids', ids)}
          >
            <div className={classes.choices}>
              {stores.map((store) => (
                <Checkbox key={store.id} value={store.id} label={store.name} />
              ))}
            </div>
          </Checkbox.Group>
        )}
        {message && (
          <p role="alert" className={classes.refusal}>
            {message}
          </p>
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {m.platform_cancel()}
          </Button>
          <Button type="submit" loading={isSending}>
            {member ? m.people_save() : m.people_send_invitation()}
          </Button>
        </div>
      </form>
    </SideSheet>
  );
}

function RoleField({ role, onChange }: { role: StaffRole; onChange: (role: StaffRole) => void }) {
  return (
    <Radio.Group
      label={m.people_role()}
      value={role}
      onChange={(value) => onChange(value === 'admin' ? 'admin' : 'store_admin')}
    >
      <div className={classes.choices}>
        <Radio value="store_admin" label={m.people_role_store_admin()} description={m.people_store_admin_may()} />
        <Radio value="admin" label={m.people_role_admin()} description={m.people_admin_may()} />
      </div>
    </Radio.Group>
  );
}

export interface UnsentInvitation {
  name: string;
  email: string;
  link: string;
}

interface StaffFormOf {
  /** The member to edit; null: the form invites somebody. */
  member: StaffMember | null;
  /**
   * Whether the member is the person who edits. Nobody changes their own role, because they could lock themselves out.
   */
  isSelf: boolean;
  stores: Store[];
  onDone: (words: string) => void;
  /** Called with the invitation's link if no mail was sent, so that the person who invites can pass the link on. */
  onLink: (invited: UnsentInvitation) => void;
}

type Draft = Pick<StaffMember, 'name' | 'email' | 'role' | 'store_ids'>;

interface StaffDraft {
  draft: Draft;
  change<K extends keyof Draft>(field: K, value: Draft[K]): void;
  /** The server's message about a field, until the field is changed; undefined: there is none. */
  said(field: keyof Draft): string | undefined;
  message: string | undefined;
  isSending: boolean;
  form: RefObject<HTMLFormElement | null>;
  submit(): Promise<void>;
}

function useStaffDraft({ member, isSelf, stores, onDone, onLink }: StaffFormOf): StaffDraft {
  const [draft, setDraft] = useState<Draft>({
    name: member?.name ?? '',
    email: member?.email ?? '',
    role: member?.role ?? 'store_admin',
    store_ids: member?.store_ids ?? (stores[0] ? [stores[0].id] : []),
  });
  const [failure, setFailure] = useState(noFormFailure);
  const [isSending, setSending] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);

  const submit = async (): Promise<void> => {
    const { name, email, role, store_ids } = draft;
    setSending(true);
    try {
      const place = isSelf ? {} : { role, store_ids };
      if (member) await api('PATCH /v1/staff/{id}', { id: member.id, name, ...place });
      const { invitation_link: link } = member ? { invitation_link: null } : await api('POST /v1/staff', draft);
      if (link !== null) return onLink({ name, email, link });
      onDone(member ? m.people_saved({ name }) : m.people_invitation_sent({ name, email }));
    } catch (error) {
      setFailure(formFailureOf(error));
      setSending(false);
      setRefusals((count) => count + 1);
    }
  };

  return {
    draft,
    change(field, value) {
      setDraft({ ...draft, [field]: value });
      setFailure(withoutFieldErrors(failure, field));
    },
    said: (field) => failure.errors[field]?.[0],
    message: failure.message,
    isSending,
    form,
    submit,
  };
}
