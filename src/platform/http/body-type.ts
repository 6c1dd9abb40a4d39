import { Readable } from 'node:stream';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';

/** The body is a file where JSON is expected, or the other way round. */
export function refuseOtherTypes({ upload }: Endpoint, body: unknown): void {
  if ((Buffer.isBuffer(body) || body instanceof Readable) === Boolean(upload)) return;
  throw upload ? fileWanted(upload) : new AppError('unsupported_media_type', m.platform_unsupported_media_type());
}

export function fileWanted(upload: Endpoint['upload']): AppError {
  const types = upload?.types.join(', ') ?? '';
  return new AppError('unsupported_media_type', m.platform_file_wanted({ types }));
}

/** The framework's own refusal of a body type that it has no parser for. */
export function isOtherType(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
}
