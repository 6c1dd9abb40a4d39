import type pg from 'pg';

/** The address of a connection. */
export function urlOf({ host = '', port, user, password, database }: pg.PoolConfig): string {
  const login = `${user}:${encodeURIComponent(String(password ?? ''))}`;
  return `postgres://${login}@${encodeURIComponent(host)}:${port}/${database}`;
}
