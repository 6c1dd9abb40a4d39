import { stat } from 'node:fs/promises';
import { DatabaseStartError, type DatabaseUser, runProgram } from '#database/embedded/process.ts';

const NAME = 'hatch';

/**
 * Chooses the user that runs PostgreSQL, which refuses to run as root. undefined: this process is not root's, and
 * PostgreSQL runs as the same user. For root the choice is, in this order: the cluster's owner, the data folder's
 * owner, the system user `hatch`. If `hatch` is missing, it is created; only if that fails, `postgres` is chosen. Root,
 * and a data folder's owner without a user name, are skipped. Throws `wrong_owner` for another user's cluster, and
 * `no_database_user`.
 */
export async function chooseDatabaseUser(
  dataDir: string,
  cluster: string,
  onCreated: (name: string) => void,
): Promise<DatabaseUser> {
  const self = process.geteuid?.();
  if (self !== 0) {
    const owner = await ownerOf(cluster);
    if (!owner || owner.uid === self) return undefined;
    throw new DatabaseStartError(
      'wrong_owner',
      `The database in ${cluster} belongs to user ${await systemUserName(owner.uid)}, because Hatch ran as root or as another user before.\n` +
        `Start it that way again, or hand the folder over once: sudo chown -R ${await systemUserName(self ?? -1)} '${dataDir}'`,
    );
  }
  const user =
    unlessRoot(await ownerOf(cluster)) ??
    (await namedOwnerOf(dataDir)) ??
    (await findUser(NAME)) ??
    (await createUser(onCreated)) ??
    (await findUser('postgres')) ??
    refuse('PostgreSQL refuses to run as root, and no system user could be made for it.');
  await runProgram('id', [], { user }).catch(() =>
    refuse('PostgreSQL refuses to run as root, and this root may not become another user.'),
  );
  return user;
}

async function ownerOf(path: string): Promise<DatabaseUser> {
  const found = await stat(path).catch(() => undefined);
  return found && { uid: found.uid, gid: found.gid };
}

const unlessRoot = (user: DatabaseUser): DatabaseUser => (user?.uid === 0 ? undefined : user);

/**
 * The owner of a path; undefined: the owner is root or has no user name. initdb needs a name, and the owner of a
 * container's volume may lack one.
 */
async function namedOwnerOf(path: string): Promise<DatabaseUser> {
  const owner = unlessRoot(await ownerOf(path));
  return owner && (await runProgram('id', ['-un', String(owner.uid)])).code === 0 ? owner : undefined;
}

async function findUser(name: string): Promise<DatabaseUser> {
  const [uid, gid] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])]);
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  const user = { uid: Number(uid.output), gid: Number(gid.output) };
  return user.uid > 0 && Number.isInteger(user.gid) ? user : undefined;
}

async function createUser(onCreated: (name: string) => void): Promise<DatabaseUser> {
  const about = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  const shell = ['--shell', '/usr/sbin/nologin', '--comment', 'Hatch database'];
  const made = await runProgram('useradd', [...about, ...shell, NAME]).catch(() => undefined);
  if (made?.code === 0) onCreated(NAME);
  return findUser(NAME);
}

export async function systemUserName(uid: number): Promise<string> {
  const found = await runProgram('id', ['-un', String(uid)]).catch(() => undefined);
  return found?.code === 0 ? found.output.trim() : `number ${uid}`;
}

function refuse(problem: string): never {
  throw new DatabaseStartError(
    'no_database_user',
    `${problem}\nStart Hatch as an ordinary user (in Docker: --user node), or make one with \`useradd --system ${NAME}\`, or set DATABASE_URL.`,
  );
}
