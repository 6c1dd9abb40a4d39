import { m } from '#messages';
import { ApiError } from '#platform/web/api.ts';

export function refusalWords(error: unknown): string {
  if (!(error instanceof ApiError)) return m.platform_internal();
  if (error.code === 'offline') return m.platform_offline();
  return error.message || m.platform_internal();
}
