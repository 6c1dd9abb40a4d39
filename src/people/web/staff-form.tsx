import { Button, Checkbox, Radio, TextInput } from '@mantine/core';
import { m } from '#messages';
import { SideSheet } from '#ui/web/office/dialogs.tsx';
import classes from '#people/web/people.module.css';
import { type StaffFormOf, useStaffDraft } from '#people/web/use-staff-draft.ts';

interface FormProps extends StaffFormOf {
  onClose: () => void;
}

/** A person's name and rights. */
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

type StaffRole = 'admin' | 'store_admin';

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
