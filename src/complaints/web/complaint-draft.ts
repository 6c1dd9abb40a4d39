import { personKeys } from '#accounts/web/person-keys.ts';

const storageKey = personKeys.complaintDraft;

/** What was typed into the form, by field, and the `key` it is sent with; in this tab only. `from` is the order of its link. */
export type ComplaintDraft = Readonly<Record<string, string>>;

/** The draft for a visit by an order's link (empty without one): of another order's complaint only the text and person stay. */
export function readComplaint(order: string): ComplaintDraft {
  const draft = read();
  if (order === '' || draft['from'] === order) return draft;
  const { about: _about, order_number: _number, key: _key, ...rest } = draft;
  return rest;
}

export function keepComplaint(changed: ComplaintDraft): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ ...read(), ...changed }));
  } catch {
    // Without storage only this convenience is lost.
  }
}

/** The key has been used for other words: what is typed is sent with another one after a reload. */
export function forgetComplaintKey(): void {
  const { key: _key, ...rest } = read();
  endComplaint();
  keepComplaint(rest);
}

/** It was sent. */
export function endComplaint(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // What cannot be stored is not there.
  }
}

function read(): ComplaintDraft {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as ComplaintDraft;
  } catch {
    return {};
  }
}
