import { readConfig } from '#config.ts';
import { ConfigError } from '#platform/errors.ts';
import { auditChain } from '#database/audit.ts';
import { connect } from '#database/connect.ts';
import { DatabaseStartError } from '#database/embedded/embedded-postgres.ts';
import { findDatabase } from '#database/find-database.ts';
import { verifyChain } from '#database/journal/chain.ts';
import { compareOrdersWithMoney } from '#payment/server/journal/compare-orders.ts';
import { formatCheckReport } from '#payment/server/journal/report-checks.ts';
import { verifyChains } from '#payment/server/journal/chains.ts';

/**
 * Verifies the payment journals and the audit log, and compares every card order with its payments. Usage: `npm run
 * verify-journal`, with the shop's DATABASE_URL or DATA_DIR. It changes nothing, and the shop may run. Exits with 1 if
 * it finds a fault, 2 if it cannot verify.
 */
async function verify(): Promise<boolean> {
  const config = readConfig(process.env);
  const database = await findDatabase(config);
  const { db, close } = connect(database.connection, () => {});
  try {
    const now = new Date();
    const journals = [...(await verifyChains(db, now)), await verifyChain(db, auditChain, now)];
    const { lines, isGood } = formatCheckReport(journals, await compareOrdersWithMoney(db, now));
    for (const line of lines) console.log(line);
    console.log(isGood ? 'All is well.' : 'Something is wrong: see above.');
    return isGood;
  } finally {
    await close();
    await database.stop();
  }
}

try {
  process.exitCode = (await verify()) ? 0 : 1;
} catch (error) {
  const isPlain = error instanceof ConfigError || error instanceof DatabaseStartError;
  console.error(isPlain ? error.message : error);
  process.exitCode = 2;
}
