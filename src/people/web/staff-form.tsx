import { Button, Checkbox, Radio, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { SideSheet } from '#ui/web/office/dialogs.tsx';
import type { StaffMember } from '#people/contract.ts';
import classes from '#people/web/people.module.css';
import { api } from '#platform/web/api.ts';
import { failureOf, noFailure, withoutField } from '#ui/web/form-errors.ts';
import type { Store } from '#store/contract.ts';

interface FormProps {
  /** null: somebody is invited. */
  member: StaffMember | null;
  /** Nobody changes their own role: they could lock themselves out. */
  isSelf: boolean;
  stores: Store[];
  onClose: () => void;
  onDone: (words: string) => void;
}

/** Who somebody is, and what they may do. */
export function StaffForm({ member, isSelf, stores, onClose, onDone }: FormProps) {
  const [name, setName] = useState(member?.name ?? '');
  const [email, setEmail] = useState(member?.email ?? '');
  const [role, setRole] = useState<StaffMember['role']>(member?.role ?? 'store_admin');
  const [shops, setShops] = useState<string[]>(member?.store_ids ?? (stores[0] ? [stores[0].id] : []));
  const [failure, setFailure] = useState(noFailure);
  const [isSending, setSending] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  const said = (field: string) => failure.errors[field]?.[0];
  const mended = (field: string) => setFailure(withoutField(failure, field));

  const submit = async (): Promise<void> => {
    setSending(true);
    try {
      const place = isSelf ? {} : { role, store_ids: shops };
      if (member) await api('PATCH /v1/staff/{id}', { id: member.id, name, ...place });
      else await api('POST /v1/staff', { name, email, role, store_ids: shops });
      onDone(member ? m.people_saved({ name }) : m.people_invitation_sent({ name, email }));
    } catch (error) {
      setFailure(failureOf(error));
      setSending(false);
      setRefusals((count) => count + 1);
    }
  };

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
          value={name}
          error={said('name')}
          onChange={(event) => {
            setName(event.currentTarget.value);
            mended('name');
          }}
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
            value={email}
            error={said('email')}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
              mended('email');
            }}
          />
        )}
        {isSelf ? (
          <p>{m.people_not_yourself()}</p>
        ) : (
          <Radio.Group
            label={m.people_role()}
            value={role}
            onChange={(value) => setRole(value === 'admin' ? 'admin' : 'store_admin')}
          >
            <div className={classes.choices}>
              <Radio value="store_admin" label={m.people_role_store_admin()} description={m.people_store_admin_may()} />
              <Radio value="admin" label={m.people_role_admin()} description={m.people_admin_may()} />
            </div>
          </Radio.Group>
        )}
        {role === 'store_admin' && (
          <Checkbox.Group
            label={m.people_shops()}
            error={said('store_ids')}
            value={shops}
            onChange={(ids) => {
              setShops(ids);
              mended('store_ids');
            }}
          >
            <div className={classes.choices}>
              {stores.map((store) => (
                <Checkbox key={store.id} value={store.id} label={store.name} />
              ))}
            </div>
          </Checkbox.Group>
        )}
        {failure.message && (
          <p role="alert" className={classes.refusal}>
            {failure.message}
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
