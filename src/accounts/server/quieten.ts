import type { AccountServices } from '#accounts/server/services.ts';

/**
 * For after the commit of what changes what somebody may see: their sockets must ask again for what they hear, those of
 * all their sign-ins at once.
 */
export function quieten({ realtime, log }: Pick<AccountServices, 'log' | 'realtime'>, userId: string | null) {
  return (): Promise<void> =>
    realtime.disconnectUser(userId ?? '', 'reauthorise').catch((error: unknown) => {
      log.warn({ err: error }, 'sockets were not told of a sign-out');
    });
}
