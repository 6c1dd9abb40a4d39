import { Button } from '@mantine/core';
import { m } from '#messages';
import classes from '#people/web/people.module.css';
import type { UnsentInvitation } from '#people/web/use-staff-draft.ts';
import { CopyField } from '#ui/web/office/copy-field.tsx';
import { Dialog } from '#ui/web/office/dialogs.tsx';

/** The link of an invitation that could not be mailed. It cannot be shown again, so only its button closes it. */
export function InvitationLink({ invited, onClose }: { invited: UnsentInvitation; onClose: () => void }) {
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

/** Without a public address the server does not know where it is reached; this page does. */
function fromHere(link: string): string {
  const { pathname, hash } = new URL(link);
  return `${location.origin}${pathname}${hash}`;
}
