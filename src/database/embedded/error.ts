export type DatabaseStartCode =
  | 'folder_in_use'
  | 'folder_unusable'
  | 'wrong_owner'
  | 'no_database_user'
  | 'binaries_unusable'
  | 'version_mismatch'
  | 'cluster_missing'
  | 'copied_while_running'
  | 'disk_full'
  | 'start_failed';

/**
 * The reason why the embedded database cannot run. The message tells the person who typed `npm start` how to mend it.
 */
export class DatabaseStartError extends Error {
  readonly code: DatabaseStartCode;

  constructor(code: DatabaseStartCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseStartError';
    this.code = code;
  }
}

/** The `code` of a system error such as `ENOENT`, or undefined. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
