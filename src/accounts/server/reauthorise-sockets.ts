import type { AccountServices } from '#accounts/server/services.ts';

/**
 * Called after the commit of a change of permissions: the person's sockets, of all their sign-ins, must ask again for
 * their channels.
 */
export function reauthoriseSockets(
  { realtime, log }: Pick<AccountServices, 'log' | 'realtime'>,
  userId: string | null,
) {
  return (): Promise<void> =>
    realtime.disconnectUser(userId ?? '', 'reauthorise').catch((error: unknown) => {
      log.warn({ err: error }, 'sockets were not told of a sign-out');
    });
}
