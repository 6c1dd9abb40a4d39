import type { SocialReturn } from '#accounts/web/social.ts';

const key = 'sign_in_trial';

/** Passes the return values of a provider that the owner tries to the office, in this tab. */
export function keepTrialReturn(back: SocialReturn): void {
  sessionStorage.setItem(key, JSON.stringify(back));
}

/** Once; null when nothing came back. */
export function takeTrialReturn(): SocialReturn | null {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  // Written above.
  return kept === null ? null : (JSON.parse(kept) as SocialReturn);
}
