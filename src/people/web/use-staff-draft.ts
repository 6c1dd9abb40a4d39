import { type RefObject, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import type { StaffMember } from '#people/contract.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { failureOf, noFailure, withoutField } from '#ui/web/form-errors.ts';

export interface UnsentInvitation {
  name: string;
  email: string;
  link: string;
}

export interface StaffFormOf {
  /** null: somebody is invited. */
  member: StaffMember | null;
  /** Nobody changes their own role: they could lock themselves out. */
  isSelf: boolean;
  stores: Store[];
  onDone: (words: string) => void;
  /** Nobody was mailed: the person who invites hands the link over. */
  onLink: (invited: UnsentInvitation) => void;
}

type Draft = Pick<StaffMember, 'name' | 'email' | 'role' | 'store_ids'>;

interface StaffDraft {
  draft: Draft;
  change<K extends keyof Draft>(field: K, value: Draft[K]): void;
  /** The server's message about a field, until it is changed. */
  said(field: keyof Draft): string | undefined;
  message: string | undefined;
  isSending: boolean;
  /** The form, whose first refused field takes the focus. */
  form: RefObject<HTMLFormElement | null>;
  submit(): Promise<void>;
}

/** A member of staff as typed, and the sending of it. */
export function useStaffDraft({ member, isSelf, stores, onDone, onLink }: StaffFormOf): StaffDraft {
  const [draft, setDraft] = useState<Draft>({
    name: member?.name ?? '',
    email: member?.email ?? '',
    role: member?.role ?? 'store_admin',
    store_ids: member?.store_ids ?? (stores[0] ? [stores[0].id] : []),
  });
  const [failure, setFailure] = useState(noFailure);
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
      setFailure(failureOf(error));
      setSending(false);
      setRefusals((count) => count + 1);
    }
  };

  return {
    draft,
    change(field, value) {
      setDraft({ ...draft, [field]: value });
      setFailure(withoutField(failure, field));
    },
    said: (field) => failure.errors[field]?.[0],
    message: failure.message,
    isSending,
    form,
    submit,
  };
}
