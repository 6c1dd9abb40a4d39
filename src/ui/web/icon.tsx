import { type IconName, icons } from '#ui/web/icons.ts';

/** A decorative icon beside text, hidden from assistive technology. */
export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string | undefined }) {
  return (
    <svg
      aria-hidden="true"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.8"
      viewBox="0 0 24 24"
    >
      <path d={icons[name]} />
    </svg>
  );
}
