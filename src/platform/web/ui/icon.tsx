const paths = {
  basket: 'M4 9h16l-1.6 9.2a2 2 0 0 1-2 1.8H7.6a2 2 0 0 1-2-1.8L4 9Zm4 0 3-5m5 5-3-5M10 13v3m4-3v3',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevronRight: 'm9.5 5.5 6.5 6.5-6.5 6.5',
  chevronLeft: 'M14.5 5.5 8 12l6.5 6.5',
  clock: 'M12 7v5l3.2 2M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17Z',
  close: 'm6 6 12 12M18 6 6 18',
  collection:
    'M5 10v9h14v-9M3.5 10 5 5h14l1.5 5a2.8 2.8 0 0 1-5.6 0 2.9 2.9 0 0 1-5.8 0 2.8 2.8 0 0 1-5.6 0ZM10 19v-4.5h4V19',
  delivery:
    'M7 17.5a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0Zm14.4 0a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0ZM7 17.5h7c0-4 1-5.5 3.5-6L16 5h-3M3 14h5.5V8.5H3V14Z',
  edit: 'm4 20 .8-4L15.5 5.3a2 2 0 0 1 2.8 0l.4.4a2 2 0 0 1 0 2.8L8 19.2 4 20Z',
  filter: 'M4 7h9m5 0h2M4 17h2m5 0h9M15.5 4.500v5m-7 5v5',
  info: 'M12 11v5.5M12 7.6v.1M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17Z',
  minus: 'M5.5 12h13',
  phone:
    'M6 3.8h3l1.6 4.3-2 1.6a11 11 0 0 0 5.7 5.7l1.6-2 4.3 1.6v3a2 2 0 0 1-2.2 2A16.2 16.2 0 0 1 4 6a2 2 0 0 1 2-2.2Z',
  pin: 'M12 21s-6.8-6-6.8-11a6.8 6.8 0 1 1 13.6 0c0 5-6.8 11-6.8 11Zm0-8.6a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8Z',
  plus: 'M12 5.5v13M5.5 12h13',
  search: 'm20 20-4.2-4.2M10.8 4a6.8 6.8 0 1 1 0 13.6 6.8 6.8 0 0 1 0-13.6Z',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.9 12.5h9.2L17.5 7M10 11v5m4-5v5',
  user: 'M4.5 20a7.5 7.5 0 0 1 15 0M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z',
  warning: 'M12 9.5v4.5m0 2.8v.1M12 4 2.8 19.8h18.4L12 4Z',
  leaf: 'M5 19c8.5.5 14-4 14-14-9-.5-14.5 3.5-14 14Zm0 0 7-7',
  chilli:
    'M16.5 7.500C16.5 14 12 18.5 4 19.500c7 2.5 15.5-1.5 15.5-9.5 0-1.6-.7-2.5-1.7-2.500h-1.300Zm1-3c-1.2 0-2 1.2-2 3h3.8',
  card: 'M3 8.500h18M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2Zm2 10h4',
  cash: 'M3 7h18v10H3V7Zm9 2.600a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.800ZM6.5 12h.1m10.9 0h.1',
  pot: 'M5 10h14v6a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-6Zm-2.5 0h19M9 6.500c0-1.2 1-1.2 1-2.500m4 2.500c0-1.2 1-1.2 1-2.5',
  bag: 'M6 8h12l1 12H5L6 8Zm3 0V7a3 3 0 0 1 6 0v1',
  home: 'm4 11 8-7 8 7v9h-5.500v-5.500h-5V20H4v-9Z',
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside words; it says nothing on its own, so assistive technology skips it. */
export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
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
      <path d={paths[name]} />
    </svg>
  );
}
