import { isStaffOf, signInKeyOf, type Viewer } from '#platform/http/viewer.ts';
import type { ChannelRule, ChannelTable } from '#realtime/channels.ts';
import type { ClientSocket } from '#realtime/server/connection.ts';
import { CLOSE_CODES } from '#realtime/server/protocol.ts';

/** Reads from the other domains which sign-ins are valid and which scopes exist. */
export interface ChannelAccess {
  /** The viewers whose sign-ins are still valid, keyed by `signInKeyOf`. */
  viewers(by: readonly string[]): Promise<ReadonlyMap<string, Viewer>>;
  /** The given scopes that still exist. */
  scopes(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** A socket's access to a channel, or to its user's own events. The access depends on a sign-in (`by`). */
interface Claim {
  connection: ClientSocket;
  userId: string;
  by: string;
  /** The staff channel's scope; null: the channel is for anyone, or the access is to the user's own events. */
  scope: string | null;
}

export async function mayViewerListen(
  { scopes }: Pick<ChannelAccess, 'scopes'>,
  viewer: Viewer,
  { rule, id }: { rule: ChannelRule; id: string },
): Promise<boolean> {
  return rule.listeners === 'anyone' || (isStaffOf(viewer, id) && (await scopes([id])).has(id));
}

export async function closeSocketsWithEndedAccess(
  access: ChannelAccess,
  table: ChannelTable,
  connections: Iterable<ClientSocket>,
): Promise<void> {
  const claims = [...connections].flatMap((connection) => claimsOf(connection, table));
  if (claims.length === 0) return;
  const wanted = [...new Set(claims.flatMap(({ scope }) => scope ?? []))];
  const [viewers, scopes] = await Promise.all([
    access.viewers([...new Set(claims.map(({ by }) => by))]),
    wanted.length === 0 ? new Set<string>() : access.scopes(wanted),
  ]);
  const isGood = ({ by, userId, scope }: Claim) => {
    const viewer = viewers.get(by);
    if (!viewer || viewer.id !== userId) return false;
    return scope === null || (isStaffOf(viewer, scope) && scopes.has(scope));
  };
  for (const claim of claims) {
    if (!isGood(claim)) claim.connection.socket.close(CLOSE_CODES.reconnect, 'Access ended');
  }
}

function claimsOf(connection: ClientSocket, table: ChannelTable): Claim[] {
  const { user, channels, signedInBy: authorised } = connection;
  const claims: Claim[] = [];
  if (user?.signed_in_by) claims.push({ connection, userId: user.id, by: user.signed_in_by, scope: null });
  for (const [channel, by] of authorised) {
    const found = table.find(channel);
    const scope = found?.rule.listeners === 'staff' ? found.id : null;
    claims.push({ connection, userId: channels.get(channel) ?? '', by, scope });
  }
  return claims;
}

/**
 * The `channel_data` of an authorised channel. The data names the sign-in, so that a sign-out ends the subscription.
 */
export function channelDataOf(viewer: Viewer): string {
  return JSON.stringify({ user_id: viewer.id, user_info: { name: viewer.name }, signed_in_by: signInKeyOf(viewer) });
}
