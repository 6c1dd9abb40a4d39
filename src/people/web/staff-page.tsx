import { ActionIcon, Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import { m } from '#messages';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';
import { confirm, Dialog } from '#ui/web/office/dialogs.tsx';
import { type ListColumn, DataList } from '#ui/web/office/data-list.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { notify } from '#ui/web/notify.ts';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { queryClient } from '#ui/web/office/query-client.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { EmptyState } from '#ui/web/office/states.tsx';
import { useListView, usePagedList } from '#ui/web/office/use-paged-list.ts';
import { useOwnStores } from '#accounts/web/use-stores.ts';
import type { StaffMember } from '#people/contract.ts';
import { StaffForm, type UnsentInvitation } from '#people/web/staff-form.tsx';
import { dateWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import classes from '#people/web/people.module.css';
import { CopyField } from '#ui/web/office/copy-field.tsx';

const perPage = 50;

export function StaffPage({ store }: { store: Store }) {
  const { view, change } = useListView();
  const { stores } = useOwnStores();
  const { user } = useSession();
  const [edited, setEdited] = useState<StaffMember | 'new' | null>(null);
  const [unsent, setUnsent] = useState<UnsentInvitation | null>(null);
  const finish = (tell: () => void) => {
    setEdited(null);
    tell();
    void refetchStaff();
  };
  const { list } = usePagedList({
    key: ['staff', view],
    load: (options) =>
      api('GET /v1/staff', { page: view.page, per_page: perPage, search: view.search || undefined }, options),
  });
  const shopNames = ({ role, store_ids: ids }: StaffMember) =>
    role === 'admin'
      ? m.people_every_shop()
      : stores
          .filter(({ id }) => ids.includes(id))
          .map(({ name }) => name)
          .join(', ');
  const columns: ListColumn<StaffMember>[] = [
    { key: 'name', label: m.people_name(), cell: ({ name }) => name },
    { key: 'email', label: m.people_email(), isForWide: true, cell: ({ email }) => email },
    { key: 'role', label: m.people_role(), cell: ({ role }) => roleWords[role]() },
    { key: 'shops', label: m.people_shops(), cell: shopNames },
    {
      key: 'last',
      label: m.people_last_seen(),
      cell: (member) =>
        member.has_password
          ? member.last_used_at
            ? dateWords(member.last_used_at, store.timezone)
            : m.people_signed_out_now()
          : m.people_invited(),
    },
  ];
  return (
    <OfficePage
      title={m.office_page_staff()}
      hint={m.people_staff_hint()}
      actions={<Button onClick={() => setEdited('new')}>{m.people_invite()}</Button>}
      isWide
    >
      <DataList
        label={m.office_page_staff()}
        columns={columns}
        {...list}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        view={view}
        onView={change}
        onOpen={setEdited}
        rowActions={(member) => (
          <RowMenu
            member={member}
            isSelf={member.id === user?.id}
            onEdit={() => setEdited(member)}
            onLink={setUnsent}
          />
        )}
        empty={<EmptyState title={m.people_no_staff()} />}
      />
      {edited && (
        <StaffForm
          member={edited === 'new' ? null : edited}
          isSelf={edited !== 'new' && edited.id === user?.id}
          stores={stores}
          onClose={() => setEdited(null)}
          onDone={(words) => finish(() => notify({ text: words }))}
          onLink={(invited) => finish(() => setUnsent(invited))}
        />
      )}
      {unsent && <InvitationLink invited={unsent} onClose={() => setUnsent(null)} />}
    </OfficePage>
  );
}

const roleWords: Record<StaffMember['role'], () => string> = {
  admin: m.people_role_admin,
  store_admin: m.people_role_store_admin,
};

interface RowMenuProps {
  member: StaffMember;
  isSelf: boolean;
  onEdit: () => void;
  onLink: (invited: UnsentInvitation) => void;
}

function RowMenu({ member, isSelf, onEdit, onLink }: RowMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={m.people_actions_for({ name: member.name })}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>{m.people_edit()}</Menu.Item>
        {!member.has_password && (
          <Menu.Item onClick={() => void inviteAgain(member, onLink)}>{m.people_invite_again()}</Menu.Item>
        )}
        {member.sign_ins > 0 && <Menu.Item onClick={() => void signOut(member)}>{m.people_sign_out()}</Menu.Item>}
        {member.has_second_factor && !isSelf && (
          <Menu.Item onClick={() => void removeFactors(member)}>{m.people_remove_factors()}</Menu.Item>
        )}
        {!isSelf && (
          <Menu.Item color="bad" onClick={() => void remove(member)}>
            {m.people_remove()}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

async function inviteAgain({ id, name, email }: StaffMember, onLink: RowMenuProps['onLink']): Promise<void> {
  const invite = async () => {
    const { invitation_link: link } = await api('POST /v1/staff/{id}/invite', { id });
    if (link !== null) onLink({ name, email, link });
    return link === null ? m.people_invitation_sent({ name, email }) : null;
  };
  await say(invite());
}

async function signOut({ id, name, sign_ins: count }: StaffMember): Promise<void> {
  const isSure = await confirm({
    title: m.people_sign_out_title({ name }),
    body: m.people_sign_out_staff_body({ count }),
    action: m.people_sign_out(),
    isDangerous: true,
  });
  if (isSure) await say(api('POST /v1/staff/{id}/logout-everywhere', { id }), m.people_signed_out({ name }));
}

async function removeFactors({ id, name }: StaffMember): Promise<void> {
  const isSure = await confirm({
    title: m.people_remove_factors_title({ name }),
    body: `${m.people_remove_factors_body()} ${pickByMailServer(m.people_told_by_mail, m.people_told_unsent)()}`,
    action: m.people_remove_factors_action(),
    isDangerous: true,
  });
  if (isSure) await say(api('DELETE /v1/staff/{id}/factors', { id }), m.people_factors_removed({ name }));
}

async function remove({ id, name }: StaffMember): Promise<void> {
  const isSure = await confirm({
    title: m.people_remove_title({ name }),
    body: m.people_remove_body(),
    action: m.people_remove(),
    isDangerous: true,
  });
  if (isSure) await say(api('DELETE /v1/staff/{id}', { id }), m.people_removed({ name }));
}

/**
 * Awaits a call, and shows a notification with the error or, on success, with `done`. Without `done`, shows the call's
 * result if the result is a text.
 */
async function say(call: Promise<unknown>, done?: string): Promise<void> {
  try {
    const said = await call;
    const text = done ?? said;
    if (typeof text === 'string') notify({ text });
  } catch (error) {
    notify({ text: refusalWords(error), tone: 'bad' });
  }
  await refetchStaff();
}

async function refetchStaff(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['staff'] });
}

/**
 * A dialog with the link of an invitation that was not mailed. The link is shown once, so only the dialog's button
 * closes it.
 */
function InvitationLink({ invited, onClose }: { invited: UnsentInvitation; onClose: () => void }) {
  const { name, email, link } = invited;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={m.people_link_title({ name })}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={classes.form}>
        <p>{m.people_link_hint({ name, email })}</p>
        <CopyField label={m.people_link_label()} value={fromHere(link)} />
        <div className={classes.buttons}>
          <Button onClick={onClose}>{m.people_link_done()}</Button>
        </div>
      </div>
    </Dialog>
  );
}

/**
 * Replaces a link's origin by this page's, because a server without a configured address does not know its own origin.
 */
function fromHere(link: string): string {
  const { pathname, hash } = new URL(link);
  return `${location.origin}${pathname}${hash}`;
}
