// Carries the database of a folder over, as a start does, from this major version to itself.
import { carryCluster } from '#backup/server/carry-cluster.ts';
import { endCarrying } from '#database/embedded/older-cluster.ts';
import { hatchVersion } from '#versions.ts';

const [dataDir = ''] = process.argv.slice(2);
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
await endCarrying(dataDir);
const aside = await carryCluster({ dataDir, older: { from: '18', to: '18' }, hatch: hatchVersion, log });
process.stdout.write(`${aside}\n`);
// As the server does: its process ends only when it is told to.
process.exit(0);
