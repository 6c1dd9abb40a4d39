const paths = {
  bell: 'M6 16.500V11a6 6 0 1 1 12 0v5.500l1.500 2h-15l1.500-2Zm4 4.500h4',
  bellOff: 'M4 4l16 16M8 6.500A6 6 0 0 1 18 11v3.500M6 10v6.500l-1.500 2H17M10 21h4',
  board: 'M4 5h4.500v14H4V5Zm5.750 0h4.500v9h-4.500V5Zm5.750 0H20v6h-4.500V5Z',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  clock: 'M12 7v5l3.200 2M12 3.500a8.500 8.500 0 1 1 0 17 8.500 8.500 0 0 1 0-17Z',
  close: 'm6 6 12 12M18 6 6 18',
  collection: 'M6 8h12l1 12H5L6 8Zm3 0V7a3 3 0 0 1 6 0v1',
  delivery:
    'M7 17.500a2.200 2.200 0 1 1-4.400 0 2.200 2.200 0 0 1 4.400 0Zm14.400 0a2.200 2.200 0 1 1-4.400 0 2.200 2.200 0 0 1 4.400 0ZM7 17.500h7c0-4 1-5.500 3.500-6L16 5h-3M3 14h5.500V8.500H3V14Z',
  down: 'm6 9.500 6 6 6-6',
  expand: 'M9 4H4v5M15 4h5v5M9 20H4v-5m11 5h5v-5',
  grip: 'M9 6v.1m0 5.900v.1m0 5.900v.1M15 6v.1m0 5.900v.1m0 5.900v.1',
  keyboard: 'M3 6.500h18v11H3v-11Zm4 7.500h10M6.500 10h.1m3.500 0h.1m3.600 0h.1m3.500 0h.1',
  minus: 'M5.500 12h13',
  moon: 'M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10Z',
  more: 'M12 5.500v.1m0 6.400v.1m0 6.400v.1',
  offline:
    'M4 4l16 16M5 12.500a10 10 0 0 1 4.200-2.300m3.600-.2a10 10 0 0 1 6.200 2.500M8.300 16a5 5 0 0 1 6.400-.9M12 19.500h.1',
  pages: 'M4 7h16M4 12h16M4 17h16',
  pause: 'M8.500 5.500v13m7-13v13',
  pin: 'M12 21s-6.800-6-6.800-11a6.800 6.800 0 1 1 13.600 0c0 5-6.800 11-6.800 11Zm0-8.600a2.400 2.400 0 1 0 0-4.800 2.400 2.400 0 0 0 0 4.800Z',
  phone:
    'M6 3.800h3l1.600 4.300-2 1.600a11 11 0 0 0 5.700 5.700l1.600-2 4.300 1.600v3a2 2 0 0 1-2.200 2A16.200 16.200 0 0 1 4 6a2 2 0 0 1 2-2.200Z',
  play: 'M8 5.500v13l10.500-6.500L8 5.500Z',
  plus: 'M12 5.500v13M5.500 12h13',
  print: 'M7 9V4h10v5M7 17H4v-8h16v8h-3M7 14h10v6H7v-6Z',
  signOut: 'M14 4h5v16h-5M4 12h11m-4-4 4 4-4 4',
  storefront:
    'M5 10v9h14v-9M3.500 10 5 5h14l1.500 5a2.800 2.800 0 0 1-5.600 0 2.900 2.900 0 0 1-5.800 0 2.800 2.800 0 0 1-5.600 0ZM10 19v-4.500h4V19',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8Zm0-4.500V5m0 14v1.500M3.500 12H5m14 0h1.500M6 6l1 1m10 10 1 1m0-12-1 1M7 17l-1 1',
  undo: 'M9 5 4.500 9.500 9 14m-4.500-4.500H14a5 5 0 0 1 0 10h-3',
  up: 'm6 14.500 6-6 6 6',
  warning: 'M12 9.500v4.500m0 2.800v.1M12 4 2.800 19.800h18.400L12 4Z',
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside words; it says nothing on its own, so assistive technology skips it. */
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
      <path d={paths[name]} />
    </svg>
  );
}
