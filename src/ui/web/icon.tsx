import { Drawing, firstPaths } from '#ui/web/first-icon.tsx';

const paths = {
  ...firstPaths,
  check: 'm5 12.5 4.5 4.5L19 7.5',
  edit: 'm4 20 .8-4L15.5 5.3a2 2 0 0 1 2.8 0l.4.4a2 2 0 0 1 0 2.8L8 19.2 4 20Z',
  info: 'M12 11v5.5M12 7.6v.1M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17Z',
  minus: 'M5.5 12h13',
  phone:
    'M6 3.8h3l1.6 4.3-2 1.6a11 11 0 0 0 5.7 5.7l1.6-2 4.3 1.6v3a2 2 0 0 1-2.2 2A16.2 16.2 0 0 1 4 6a2 2 0 0 1 2-2.2Z',
  pin: 'M12 21s-6.8-6-6.8-11a6.8 6.8 0 1 1 13.6 0c0 5-6.8 11-6.8 11Zm0-8.6a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8Z',
  plus: 'M12 5.5v13M5.5 12h13',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.9 12.5h9.2L17.5 7M10 11v5m4-5v5',
  warning: 'M12 9.5v4.5m0 2.8v.1M12 4 2.8 19.8h18.4L12 4Z',
  card: 'M3 8.500h18M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2Zm2 10h4',
  cash: 'M3 7h18v10H3V7Zm9 2.600a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.800ZM6.5 12h.1m10.9 0h.1',
  pot: 'M5 10h14v6a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-6Zm-2.5 0h19M9 6.500c0-1.2 1-1.2 1-2.500m4 2.500c0-1.2 1-1.2 1-2.5',
  bag: 'M6 8h12l1 12H5L6 8Zm3 0V7a3 3 0 0 1 6 0v1',
  home: 'm4 11 8-7 8 7v9h-5.500v-5.500h-5V20H4v-9Z',
} as const;

export type IconName = keyof typeof paths;

/** Any of the drawings; what the menu first shows takes its few from `FirstIcon`. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return <Drawing path={paths[name]} className={className} />;
}
