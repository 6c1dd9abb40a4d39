import { m } from '#messages';

/** A drawing of the Android setting that allows an app to install its own updates, with the switch to turn on. */
export function InstallPermissionPicture() {
  return (
    <svg
      viewBox="0 0 280 84"
      style={{ width: '100%', color: 'var(--ink)', background: 'var(--paper)', borderRadius: '0.5rem' }}
      role="img"
      aria-label={m.platform_update_switch()}
    >
      <text x="14" y="26" fontSize="13" fontWeight="700" fill="currentColor">
        {m.platform_update_screen()}
      </text>
      <text x="14" y="60" fontSize="14" fill="currentColor">
        {m.platform_update_switch()}
      </text>
      <rect x="222" y="44" width="44" height="24" rx="12" fill="var(--accent)" />
      <circle cx="254" cy="56" r="9" fill="#fff" />
      <path d="M244 78l10-8 10 8" fill="none" stroke="currentColor" strokeWidth="3" />
    </svg>
  );
}
