import { m } from '#messages';
import type { Db } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { isStaffOf, type Viewer } from '#platform/http/viewer.ts';
import { parseChannel } from '#realtime/channels.ts';
import type { realtime } from '#realtime/contract.ts';
import type { Services } from '#services.ts';

/** Who may listen where. Anyone who knows an order's id hears its guest's view; whole orders are for the store's staff. */
export function realtimeEndpoints({ realtime: server }: Services): Handlers<typeof realtime, Db> {
  return {
    'POST /v1/broadcasting/auth': async ({ body, viewer }) => {
      const channel = parseChannel(body.channel_name);
      if (!channel || channel.kind === 'stores') throw new AppError('forbidden', m.platform_forbidden());
      if (channel.kind === 'order') return { auth: server.sign(body.socket_id, body.channel_name) };
      if (!isStaffOf(viewer, channel.storeId)) throw new AppError('forbidden', m.platform_forbidden());
      const member = memberOf(viewer);
      const auth = server.sign(body.socket_id, body.channel_name, channel.kind === 'store_boards' ? member : undefined);
      return channel.kind === 'store_boards' ? { auth, channel_data: member } : { auth };
    },
  };
}

function memberOf(viewer: Viewer): string {
  return JSON.stringify({ user_id: viewer.id, user_info: { name: viewer.name } });
}
