import { parseArgs } from 'node:util';

interface SignIn {
  pollUrl: string;
  username: string;
  secret: string;
}

export type PrinterArguments = {
  isStar: boolean;
  dots: number;
  /** The port of the page that shows the paper. */
  page: number;
} & (
  | { kind: 'network'; port: number }
  | { kind: 'browser'; port: number }
  | { kind: 'star' | 'epson'; signIn: SignIn }
);

/** Reads the arguments of `npm run printer`. Throws an ArgumentFault with the reason in words. */
export function readPrinterArguments(args: readonly string[]): PrinterArguments {
  const values = parse(args);
  const portOf = (name: 'port' | 'page', usual: number): number => {
    const text = values[name];
    if (text === undefined) return usual;
    const isPort = /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
    if (!isPort) throw new ArgumentFault(`--${name} "${text}" is no port. It is a number up to 65535.`);
    return Number(text);
  };
  const shared = {
    isStar: values['star-commands'] ?? false,
    dots: values.narrow ? 384 : 576,
    page: portOf('page', 8009),
  };
  const kinds = (['network', 'browser', 'star', 'epson'] as const).filter((each) => values[each]);
  const [kind] = kinds;
  if (!kind || kinds.length !== 1) throw new ArgumentFault('Say which one: --star, --epson, --network or --browser.');
  if (kind === 'star' || kind === 'epson') return { ...shared, kind, signIn: signInOf(values) };
  return { ...shared, kind, port: portOf('port', kind === 'network' ? 9100 : 8043) };
}

export class ArgumentFault extends Error {}

function signInOf({ url, user, secret }: { url?: string; user?: string; secret?: string }): SignIn {
  if (!url || !user || !secret) {
    throw new ArgumentFault('Give --url, --user and --secret, as the office shows them for a new printer.');
  }
  const isWeb = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
  if (!isWeb) {
    const words = 'It begins with http:// or https://, as the office shows it.';
    throw new ArgumentFault(`--url "${url}" is no address. ${words}`);
  }
  return { pollUrl: url, username: user, secret };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: args.reduce(joinValues, []),
      options: {
        star: { type: 'boolean' },
        epson: { type: 'boolean' },
        network: { type: 'boolean' },
        browser: { type: 'boolean' },
        'star-commands': { type: 'boolean' },
        url: { type: 'string' },
        user: { type: 'string' },
        secret: { type: 'string' },
        port: { type: 'string' },
        page: { type: 'string' },
        narrow: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new ArgumentFault(error instanceof Error ? error.message : String(error));
  }
}

/** A secret that begins with a dash is a value all the same: `--secret -x` becomes `--secret=-x`. */
function joinValues(args: string[], next: string): string[] {
  const last = args.at(-1) ?? '';
  return ['--url', '--user', '--secret'].includes(last) ? [...args.slice(0, -1), `${last}=${next}`] : [...args, next];
}
