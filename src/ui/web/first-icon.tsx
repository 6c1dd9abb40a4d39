/** The drawings of the menu as it first shows; the others are no part of its bytes. */
export const firstPaths = {
  basket: 'M4 9h16l-1.6 9.2a2 2 0 0 1-2 1.8H7.6a2 2 0 0 1-2-1.8L4 9Zm4 0 3-5m5 5-3-5M10 13v3m4-3v3',
  chevronRight: 'm9.5 5.5 6.5 6.5-6.5 6.5',
  chevronLeft: 'M14.5 5.5 8 12l6.5 6.5',
  clock: 'M12 7v5l3.2 2M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17Z',
  close: 'm6 6 12 12M18 6 6 18',
  collection:
    'M5 10v9h14v-9M3.5 10 5 5h14l1.5 5a2.8 2.8 0 0 1-5.6 0 2.9 2.9 0 0 1-5.8 0 2.8 2.8 0 0 1-5.6 0ZM10 19v-4.5h4V19',
  delivery:
    'M7 17.5a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0Zm14.4 0a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0ZM7 17.5h7c0-4 1-5.5 3.5-6L16 5h-3M3 14h5.5V8.5H3V14Z',
  filter: 'M4 7h9m5 0h2M4 17h2m5 0h9M15.5 4.500v5m-7 5v5',
  search: 'm20 20-4.2-4.2M10.8 4a6.8 6.8 0 1 1 0 13.6 6.8 6.8 0 0 1 0-13.6Z',
  user: 'M4.5 20a7.5 7.5 0 0 1 15 0M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z',
  leaf: 'M5 19c8.5.5 14-4 14-14-9-.5-14.5 3.5-14 14Zm0 0 7-7',
  chilli:
    'M16.5 7.500C16.5 14 12 18.5 4 19.500c7 2.5 15.5-1.5 15.5-9.5 0-1.6-.7-2.5-1.7-2.500h-1.300Zm1-3c-1.2 0-2 1.2-2 3h3.8',
} as const;

export function FirstIcon({ name, className }: { name: keyof typeof firstPaths; className?: string }) {
  return <Drawing path={firstPaths[name]} className={className} />;
}

/** A drawing beside words; it says nothing on its own, so assistive technology skips it. */
export function Drawing({ path, className = 'size-5' }: { path: string; className?: string | undefined }) {
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
      <path d={path} />
    </svg>
  );
}
