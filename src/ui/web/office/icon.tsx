import { type IconName, icons } from '#ui/web/icons.ts';

/** A drawing beside words, as large as they are; it says nothing on its own, so assistive technology skips it. */
export function Icon({ name, size = '1.25em' }: { name: IconName; size?: string }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      style={{ flexShrink: 0 }}
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth={name === 'more' ? 3 : 1.8}
      viewBox="0 0 24 24"
    >
      <path d={icons[name]} />
    </svg>
  );
}
