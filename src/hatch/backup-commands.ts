import { resolve } from 'node:path';
import { isSetupNeeded } from '#accounts/server/set-up-shop.ts';
import { readCopySource, readShopId } from '#backup/server/copy-source.ts';
import { makeCopy } from '#backup/server/make-copy.ts';
import { moveShop } from '#backup/server/move-shop.ts';
import { restoreCopy } from '#backup/server/restore-copy.ts';
import { copyDamageWords, type VerifiedCopies, verifyCopies } from '#backup/server/verify-copies.ts';
import type { Config } from '#config.ts';
import { type Command, shopCommand } from '#hatch/command.ts';
import { withMachine } from '#hatch/machine.ts';
import {
  makeSealedBackup,
  requireDiskSpace,
  restoreFromSealedBackup,
  findSealedBackupSource,
  findSealedBackupTarget,
  verifySealedBackups,
} from '#hatch/sealed-commands.ts';
import { byteSizeWords } from '#hatch/shop-status.ts';
import { ConfigError } from '#platform/errors.ts';
import { hatchVersion } from '#versions.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

export const backupCommands: Record<string, Command> = {
  backup: {
    usage: 'backup --to FOLDER|s3://BUCKET/PREFIX',
    about:
      'Adds a copy of the whole shop to a folder of copies, while it sells: every table at one moment, uploaded pictures and key files. Pictures that it has already are shared. Once the shop has a passphrase, copies in a bucket or a new folder are sealed. Others have no SECRETS_KEY: keep them where only you can read them.',
    options: { to: 'The folder of copies, made if it is missing and not inside the data folder; or a bucket.' },
    required: ['to'],
    takes: 0,
    run: shopCommand(async (machine, { options: { to = '' } }) => {
      const sealed = await findSealedBackupTarget(machine, to);
      if (sealed !== null) return makeSealedBackup(machine, sealed);
      await requireDiskSpace(machine, resolve(to));
      const source = await readCopySource(machine, hatchVersion);
      const { number, folder, manifest, bytes } = await makeCopy(source, resolve(to));
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      const files = manifest.uploads.length;
      const answer = {
        number,
        folder,
        made_at: manifest.made_at,
        tables: manifest.tables.length,
        rows,
        uploads: files,
      };
      return {
        answer: { ...answer, bytes, needs_secrets_key: manifest.needs_secrets_key },
        lines: [
          `Copy ${number} is in ${folder}: ${manifest.tables.length} tables with ${rows} rows, and ${files} uploaded files. It took ${byteSizeWords(bytes)} more.`,
          ...(machine.config.bucket ? ['Pictures in the bucket are not in the copy: the bucket keeps them.'] : []),
          ...(manifest.needs_secrets_key
            ? ['SECRETS_KEY is not in it: write it down elsewhere, because a restore needs it.']
            : []),
        ],
      };
    }),
  },
  verify: {
    usage: 'verify --from FOLDER|s3://BUCKET/PREFIX',
    about:
      'Reads every byte of a folder of copies, and says what is damaged, missing, swapped or of another shop. The exit code is 1 if anything is. No shop is needed on this machine. The passphrase of sealed copies is asked for, or BACKUP_PASSPHRASE.',
    options: { from: 'The folder of copies, or the bucket.' },
    required: ['from'],
    takes: 0,
    async run({ config, now }, { options: { from = '' }, terminal }) {
      const sealed = findSealedBackupSource(config, from);
      const shopId = await shopIdHere(config, now);
      const answer = sealed
        ? await verifySealedBackups(config, sealed, { terminal, shopId })
        : await verifyCopies(resolve(from), shopId);
      return { answer, lines: verifyLines(answer), isBad: answer.damages.length > 0 };
    },
  },
  restore: {
    usage: 'restore --from FOLDER|s3://BUCKET/PREFIX --data-dir FOLDER',
    about:
      'Makes a data folder from the newest copy, after every byte of it was checked; every row is checked after it was loaded. The data folder is complete then, or there is none. The shop is started on it afterwards, with the settings it had. The passphrase of sealed copies is asked for, or BACKUP_PASSPHRASE; others need the shop’s SECRETS_KEY.',
    options: {
      from: 'The folder of copies, or the bucket.',
      'data-dir': 'The data folder to make; it may be there if it is empty.',
      'to-time': 'Takes the newest copy made by then, as 2026-11-29T18:00Z.',
    },
    required: ['from', 'data-dir'],
    takes: 0,
    async run({ config }, { options, terminal }) {
      if (config.DATABASE_URL !== undefined)
        throw new ConfigError('A restore makes its own database in the data folder: unset DATABASE_URL for it.');
      const from = options['from'] ?? '';
      const order = {
        dataDir: resolve(options['data-dir'] ?? ''),
        until: readTime(options['to-time']),
        secretsKey: config.SECRETS_KEY,
        hatch: hatchVersion,
        log: quiet,
      };
      const sealed = findSealedBackupSource(config, from);
      const answer = sealed
        ? await restoreFromSealedBackup(config, sealed, order, { terminal })
        : { ...(await restoreCopy({ ...order, from: resolve(from) })), secrets_key: null };
      const { number, made_at, data_dir, tables, rows, uploads } = answer;
      return {
        answer,
        lines: [
          `The shop of ${timeWords(made_at)} is in ${data_dir}: copy ${number}, ${tables} tables with ${rows} rows, and ${uploads} uploaded files. Every row was checked.`,
          ...(answer.has_erasures
            ? []
            : [
                'There is no whole list of erasures beside the copies. Customers who were erased after this copy are back: erase them again.',
              ]),
          `Start it with DATA_DIR=${data_dir} and the settings that it had.`,
          ...(answer.secrets_key === null ? [] : [`One of them is SECRETS_KEY=${answer.secrets_key}`]),
        ],
      };
    },
  },
  move: {
    usage: 'move --to DATABASE_URL',
    about:
      'Moves the shop from the database of its data folder into an empty one on a server of yours, and checks every row. Only while the shop is stopped: otherwise nothing happens, and the exit code is 2. All of it is moved, or nothing. The account needs no rights of a superuser; it must own the database. Pictures and keys stay in DATA_DIR. The password may be in PGPASSWORD instead of the address.',
    options: { to: 'The address of the empty database, as postgres://user:password@host:5432/database.' },
    required: ['to'],
    takes: 0,
    async run({ config }, { options: { to = '' } }) {
      if (config.DATABASE_URL !== undefined)
        throw new ConfigError(
          'DATABASE_URL is set, so this shop is on a server already. Unset it to move another one.',
        );
      const { dataDir, takesCopy } = config;
      const answer = await moveShop({ dataDir, to, takesCopy, hatch: hatchVersion, log: quiet });
      const { host, database, tables, rows, setting, old_database } = answer;
      return {
        answer,
        lines: [
          `The shop is in the database "${database}" at ${host}: ${tables} tables with ${rows} rows. Every row was checked.`,
          `Write this into its settings, with the password, before you start it: ${setting}`,
          `Keep DATA_DIR as it is: uploaded pictures and keys stay in ${dataDir}.`,
          `The old database is in ${old_database}, as it was. Remove it when the shop has run on the server for a while.`,
        ],
      };
    },
  },
};

/**
 * The id of the shop on this machine, to which the verified backups should belong; null: no shop was set up here, or
 * its database cannot be read.
 */
async function shopIdHere(config: Config, now: () => Date): Promise<string | null> {
  const read = withMachine(config, now, async ({ db, dataFault }) =>
    dataFault !== null || (await isSetupNeeded(db)) ? null : readShopId(db),
  );
  // An unreachable database is no error, because backups must be verifiable after the loss of the machine.
  return read.catch(() => null);
}

function verifyLines({ copies, damages, folder, key_mark: mark }: VerifiedCopies): string[] {
  const lines = [
    ...copies.map(
      ({ number, made_at, is_whole, is_proven }) =>
        `Copy ${number}  ${made_at === null ? 'unreadable' : timeWords(made_at)}  ${is_whole ? 'whole' : 'DAMAGED'}${is_proven === false ? ', never restored for a trial' : ''}`,
    ),
    ...(mark === null
      ? []
      : [`Their key mark is ${mark}. If the recovery sheet has another one, these are not its backups.`]),
  ];
  return damages.length === 0
    ? [...lines, `Nothing is damaged in ${folder}.`]
    : [...lines, ...damages.map(copyDamageWords), `${folder} is damaged.`];
}

const timeWords = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

function readTime(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new ConfigError(`${text} is no time. Write it as 2026-11-29T18:00Z.`);
  return time;
}
