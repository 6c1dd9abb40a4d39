import { type IconName, icons } from '#ui/web/icons.ts';

/** An icon beside text, in the text's size. It is hidden from assistive technology, because the text says the same. */
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
