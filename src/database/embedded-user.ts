import { stat } from 'node:fs/promises';
import { DatabaseStartError } from '#database/embedded-error.ts';
import { run, type DatabaseUser } from '#database/embedded-process.ts';

const NAME = 'hatch';

/**
 * Whom PostgreSQL runs as, since it refuses root. Not root: ourselves. Root: the owner of the cluster or, before there
 * is one, of the data folder, so that data never changes hands; where root owns them, the system user `hatch`, made
 * when it is missing. Throws `wrong_owner` when the cluster belongs to somebody else, `no_database_user`.
 */
export async function chooseDatabaseUser(
  dataDir: string,
  cluster: string,
  onCreated: (name: string) => void,
): Promise<DatabaseUser> {
  const owner = (await ownerOf(cluster)) ?? (await ownerOf(dataDir));
  const self = process.geteuid?.();
  if (self !== 0) {
    const clusterOwner = await ownerOf(cluster);
    if (!clusterOwner || clusterOwner.uid === self) return undefined;
    throw new DatabaseStartError(
      'wrong_owner',
      `The database in ${cluster} belongs to user ${await nameOf(clusterOwner.uid)}: Hatch was last started as root or as another user.\n` +
        `Start it that way again, or hand the folder over once: sudo chown -R ${await nameOf(self ?? -1)} '${dataDir}'`,
    );
  }
  if (owner && owner.uid !== 0) return owner;
  return (await findUser(NAME)) ?? (await createUser(onCreated)) ?? (await findUser('postgres')) ?? refuse();
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && { uid: found.uid, gid: found.gid };
}

async function findUser(name: string): Promise<DatabaseUser> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  const user = { uid: Number(uid.output), gid: Number(gid.output) };
  return user.uid > 0 && Number.isInteger(user.gid) ? user : undefined;
}

async function createUser(onCreated: (name: string) => void): Promise<DatabaseUser> {
  const about = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  const shell = ['--shell', '/usr/sbin/nologin', '--comment', 'Hatch database'];
  const made = await run('useradd', [...about, ...shell, NAME]).catch(() => undefined);
  if (made?.code === 0) onCreated(NAME);
  return findUser(NAME);
}

/** A user's name, or its number where it has none. */
export async function nameOf(uid: number): Promise<string> {
  const found = await run('id', ['-un', String(uid)]).catch(() => undefined);
  return found?.code === 0 ? found.output.trim() : `number ${uid}`;
}

function refuse(): never {
  throw new DatabaseStartError(
    'no_database_user',
    'PostgreSQL refuses to run as root, and no system user could be made for it.\n' +
      `Make one and start again: useradd --system ${NAME}\nOr start Hatch as an ordinary user, or set DATABASE_URL.`,
  );
}
