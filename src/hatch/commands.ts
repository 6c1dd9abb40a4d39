import { parseArgs } from 'node:util';
import { readConfig } from '#config.ts';
import { ShopRunningError } from '#backup/server/move-shop.ts';
import { backupCommands } from '#hatch/backup-commands.ts';
import { type Invocation, type Command, shopCommand, type Terminal } from '#hatch/command.ts';
import type { Machine } from '#hatch/machine.ts';
import { orderTimelineLines, readOrderTimeline } from '#hatch/order-timeline.ts';
import { findInstallationFaults, readShopStatus, statusLines } from '#hatch/shop-status.ts';
import { ConfigError } from '#platform/errors.ts';
import { deletePasswordLinks, sendAccountNotice, sendFactorNotice } from '#accounts/server/account-mail.ts';
import { openTotpSecrets, removeFactors } from '#accounts/server/factors/factor-rows.ts';
import { Password } from '#accounts/contract.ts';
import { hashPassword, passwordWeakness } from '#accounts/server/hash-password.ts';
import { endSignIns } from '#accounts/server/sign-ins.ts';
import { clearAccountAttemptCounts } from '#accounts/server/throttle.ts';
import { changeUser, findUserByEmail, lockUserRow } from '#accounts/server/users.ts';
import { writeAudit } from '#database/audit.ts';
import { startJobs } from '#database/jobs/jobs.ts';
import { inTransaction } from '#database/transaction.ts';
import { createMailQueue, mailQueues } from '#mail/server/mail.ts';
import { readShop } from '#shop/server/shop-cache.ts';
import { findStoreId, firstStoreLookupName } from '#store/server/find-store.ts';

export const commands: Record<string, Command> = {
  status: {
    usage: 'status',
    about:
      'Shows the version, whether the shop takes orders, the disk, the queue, printers and kitchen boards. A shop that is not set up yet shows its address and its code.',
    options: {},
    takes: 0,
    run: shopCommand(
      async (machine) => {
        const answer = await readShopStatus(machine);
        return { answer, lines: statusLines(answer) };
      },
      { takesOtherData: true },
    ),
  },
  doctor: {
    usage: 'doctor',
    about:
      'Looks for everything that is wrong with this installation, and says how to mend it. Each finding has a level: error, warning or ok.',
    options: {},
    takes: 0,
    run: shopCommand(
      async (machine) => {
        const findings = await findInstallationFaults(machine);
        return { answer: { findings }, lines: findings.map(({ level, words }) => `${level.padEnd(7)}  ${words}`) };
      },
      { takesOtherData: true },
    ),
  },
  order: {
    usage: 'order NUMBER|ID',
    about:
      'Lists everything that is recorded of one order, oldest first: its steps, the audit log, payments, refunds, prints and mails. It shows no customer’s name, address or phone.',
    options: {
      date: 'The day of the number, as 2026-11-29. Without it, the newest order of that number.',
      store: 'The shop, by name, where there are several.',
    },
    takes: 1,
    run: shopCommand(async (machine, { args: [order = ''], options }) => {
      const answer = await readOrderTimeline(machine, { order, date: options['date'], store: options['store'] });
      return { answer, lines: orderTimelineLines(answer) };
    }),
  },
  'admin reset-password': {
    usage: 'admin reset-password EMAIL',
    about:
      'Asks for a new password for an account, sets it, removes the account’s passkeys, authenticator app and recovery codes, and ends its sign-ins. The audit log has a line, and the person gets a mail.',
    options: {},
    takes: 1,
    run: shopCommand(async (machine, { args: [email = ''], terminal }) => {
      const { name, role } = await accountOf(machine, email);
      const password = await terminal.askSecretly(`New password for ${name || email} (${role}): `);
      const answer = await resetPassword(machine, email, password);
      const factors = answer.removed_factors ? ' The passkeys, authenticator app and recovery codes are gone.' : '';
      return { answer, lines: [`The password of ${answer.email} is set, and every sign-in has ended.${factors}`] };
    }),
  },
  ...backupCommands,
};

/**
 * Only the help of `hatch start`. The script `bin/hatch` starts the server, because the server has a process of its
 * own.
 */
const start = {
  usage: 'start [--empty|--demo]',
  about: 'Starts the shop, until it is told to stop. Without a shop, it makes an empty one or the demo.',
};

export const generalOptions = {
  json: 'Answer as JSON.',
  help: 'Show this help.',
};

export function helpLines(): string[] {
  const rows = [start, ...Object.values(commands)];
  const width = Math.max(...rows.map(({ usage }) => usage.length));
  return [
    'hatch COMMAND [--json]',
    '',
    'Looks after the shop of this machine, found by DATA_DIR or DATABASE_URL. The shop may run or not.',
    '',
    ...rows.map(({ usage, about }) => `  ${usage.padEnd(width)}  ${about.split('. ')[0]?.replace(/\.$/, '')}.`),
    '',
    'hatch COMMAND --help says more of one. The exit code is 0 when it is done, 1 when it is not, 2 for a mistake in the command.',
  ];
}

export function commandHelp({ usage, about, options }: Command): string[] {
  const all = Object.entries({ ...options, ...generalOptions }).map(
    ([name, words]) => [`--${name}${name in options ? ` ${valueName(usage, name)}` : ''}`, words] as const,
  );
  const width = Math.max(...all.map(([name]) => name.length));
  return [`hatch ${usage}`, '', about, '', ...all.map(([name, words]) => `  ${name.padEnd(width)}  ${words}`)];
}

function valueName(usage: string, option: string): string {
  return new RegExp(`--${option} (\\S+)`).exec(usage)?.[1] ?? option.replace(/^.*-/, '').toUpperCase();
}

class UsageError extends Error {}

/** Runs a command. Returns the exit code: 0 done, 1 failed, 2 a usage error. */
export async function runCommand(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
  now = () => new Date(),
): Promise<number> {
  try {
    const { values, positionals } = readArgs(argv);
    const name = Object.keys(commands).find((each) => each === positionals.slice(0, each.split(' ').length).join(' '));
    const command = name === undefined ? undefined : commands[name];
    if (name === undefined || command === undefined) {
      if (positionals.length > 0) throw new UsageError(`There is no command "${positionals.join(' ')}".`);
      for (const line of helpLines()) terminal.say(line);
      return values['help'] === true ? 0 : 2;
    }
    if (values['help'] === true) {
      for (const line of commandHelp(command)) terminal.say(line);
      return 0;
    }
    const call = readCall(name, command, positionals, values);
    const here = { config: readConfig(environment), now };
    const { answer, lines, isBad = false } = await command.run(here, { ...call, terminal });
    for (const line of values['json'] === true ? [JSON.stringify(answer, null, 2)] : lines) terminal.say(line);
    return isBad ? 1 : 0;
  } catch (error) {
    return tellFault(error, argv.includes('--json'), terminal);
  }
}

/** Reads the arguments and options of a command. Throws UsageError if any is missing or unknown. */
function readCall(
  name: string,
  command: Command,
  positionals: readonly string[],
  values: Record<string, string | boolean | undefined>,
): Omit<Invocation, 'terminal'> {
  const args = positionals.slice(name.split(' ').length);
  if (args.length !== command.takes) throw new UsageError(`It is: hatch ${command.usage}`);
  const odd = Object.keys(values).find((option) => !(option in command.options) && !(option in generalOptions));
  if (odd !== undefined) throw new UsageError(`"hatch ${name}" has no option --${odd}.`);
  const options = Object.fromEntries(
    Object.entries(values).flatMap(([option, value]) => (typeof value === 'string' ? [[option, value] as const] : [])),
  );
  const missing = command.required?.find((option) => !options[option]);
  if (missing !== undefined) throw new UsageError(`It is: hatch ${command.usage}`);
  return { args, options };
}

function readArgs(argv: readonly string[]) {
  const options = Object.fromEntries(
    Object.values(commands).flatMap((command) =>
      Object.keys(command.options).map((name) => [name, { type: 'string' }] as const),
    ),
  );
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { ...options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function tellFault(error: unknown, isJson: boolean, terminal: Terminal): number {
  const isUsage = error instanceof UsageError;
  const isPlain =
    isUsage || error instanceof ConfigError || (error instanceof Error && error.name === 'DatabaseStartError');
  const words = isPlain
    ? error.message
    : `This did not work: ${error instanceof Error ? error.message : String(error)}`;
  if (isJson) terminal.say(JSON.stringify({ error: words }));
  else terminal.complain(words);
  if (isUsage && !isJson) terminal.complain('hatch --help lists the commands.');
  return isUsage || error instanceof ShopRunningError ? 2 : 1;
}

export interface PasswordReset {
  email: string;
  name: string;
  role: string;
  /** Whether passkeys, an authenticator app or recovery codes were removed from the account. */
  removed_factors: boolean;
}

/** The account with this address. Throws ConfigError if there is none. */
async function accountOf({ db }: Machine, email: string) {
  const user = await findUserByEmail(db, email);
  if (!user) throw new ConfigError(`No account has the address ${email}.`);
  return user;
}

/**
 * Sets an account's password, removes its second factors and ends its sign-ins, with an audit line and a mail. Throws
 * ConfigError without the account, or for a refused password.
 */
async function resetPassword(machine: Machine, email: string, typed: string): Promise<PasswordReset> {
  const { config, db, url, now } = machine;
  const user = await accountOf(machine, email);
  const read = Password.safeParse(typed);
  if (!read.success) throw new ConfigError('The password must have at least 8 characters, and at most 200.');
  const weakness = passwordWeakness(read.data, [user.name, user.email]);
  if (weakness !== null) throw new ConfigError(weakness);
  const passwordHash = await hashPassword(read.data);
  const jobs = await startJobs(machine.database, () => {});
  try {
    const mail = createMailQueue({ jobs, now });
    for (const queue of mailQueues) await jobs.ready(queue);
    const storeId = await findStoreId(db, config.STORE_NAME ?? firstStoreLookupName);
    const shop = storeId === null ? null : await readShop(db, config, storeId);
    const services = { config: { publicUrl: url }, mail, menus: { store: async () => shop } };
    return await inTransaction(db, async (tx) => {
      await lockUserRow(tx, user.id);
      await changeUser(tx, user.id, { password_hash: passwordHash });
      const hadFactors = await removeFactors(tx, openTotpSecrets(config), user.id);
      await deletePasswordLinks(tx, user.id);
      await endSignIns(tx, user.id, now());
      await clearAccountAttemptCounts(tx, user.email);
      await writeAudit(tx, {
        viewer: { id: null, name: 'hatch', role: 'admin', scopes: [], signInId: null },
        action: 'PATCH /v1/auth/password',
        params: { id: user.id },
        body: { factors_removed: hadFactors },
        answer: null,
        requestId: 'hatch',
        at: now(),
      });
      if (hadFactors) await sendFactorNotice(tx, services, { change: 'removed_on_machine', to: user, at: now() });
      await sendAccountNotice(tx, services, 'password_changed', user);
      return { email: user.email, name: user.name, role: user.role, removed_factors: hadFactors };
    });
  } finally {
    await jobs.stop();
  }
}
