// Upgrades the database of a folder, as a start does, from this major version to itself.
import { upgradeCluster } from '#backup/server/upgrade-cluster.ts';
import { finishClusterUpgrade } from '#database/embedded/older-cluster.ts';
import { hatchVersion } from '#versions.ts';

const [dataDir = ''] = process.argv.slice(2);
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
await finishClusterUpgrade(dataDir);
const aside = await upgradeCluster({ dataDir, older: { from: '18', to: '18' }, hatch: hatchVersion, log });
process.stdout.write(`${aside}\n`);
// The embedded PostgreSQL keeps the process alive.
process.exit(0);
