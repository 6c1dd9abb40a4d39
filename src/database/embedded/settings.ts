import type { Binaries } from '#database/embedded/binaries.ts';

/** How clients reach the server: a socket inside the data folder, or a loopback port where sockets are impossible. */
export type Transport = 'socket' | 'tcp';

/**
 * For a shop's small machine. fsync, full_page_writes and synchronous_commit keep their safe defaults (on). Only events
 * that stop or break the server are logged: error messages would contain customers' text.
 */
const defaults: Record<string, string> = {
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  maintenance_work_mem: '64MB',
  random_page_cost: '1.1',
  max_wal_size: '256MB',
  min_wal_size: '64MB',
  // Parallel workers need /dev/shm, which is small in containers, and short queries never use them.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  // The long query of a dead app ends instead of holding its locks.
  client_connection_check_interval: '5s',
  // The app restarts it; PostgreSQL alone would retry without a pause on a full disk.
  restart_after_crash: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** The text of hatch.conf. Its first line changes with every setting that a running server cannot reload. */
export function settingsText(binaries: Binaries, transport: Transport, own: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...defaults, ...own }).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`,
  );
  return `# PostgreSQL ${binaries.version}, ${transport}. Written at each start: change postgresql.conf instead.\n${lines.join('\n')}\n`;
}
