import type { ClientBase, Pool } from 'pg';

/** Makes PostgreSQL refuse every order with the error of a full disk. */
export async function refuseOrders(client: ClientBase | Pool): Promise<void> {
  await client.query(`
    create function refuse_for_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on orders execute function refuse_for_room()`);
}

export async function takeOrders(client: ClientBase | Pool): Promise<void> {
  await client.query('drop trigger full_disk on orders; drop function refuse_for_room');
}
