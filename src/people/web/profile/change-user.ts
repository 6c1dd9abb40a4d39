import { takeUser } from '#accounts/web/session.ts';
import { api, type Input } from '#platform/web/api.ts';

/** Changes one's own details and shows them everywhere. Throws ApiError. */
export async function changeOwnDetails(change: Input<'PATCH /v1/auth/user'>): Promise<void> {
  const { data } = await api('PATCH /v1/auth/user', change, { timeout: 20_000 });
  takeUser(data);
}
