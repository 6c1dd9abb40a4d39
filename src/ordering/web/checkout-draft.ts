const storageKey = 'checkout';

/** What has been typed at the checkout, by field. It lives in this tab only, through signing in and a reload. */
export type CheckoutDraft = Readonly<Record<string, string>>;

export function readDraft(): CheckoutDraft {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as CheckoutDraft;
  } catch {
    return {};
  }
}

export function keepDraft(form: HTMLFormElement): void {
  const draft: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') draft[name] = value;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(draft));
  } catch {
    // Nothing is lost but the comfort.
  }
}

/** Who ordered and where to stay for the next time; what was said about this order goes with it. */
export function endDraft(): void {
  const { note: _note, allergy_note: _allergy, ...rest } = readDraft();
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(rest));
  } catch {
    // As above.
  }
}
