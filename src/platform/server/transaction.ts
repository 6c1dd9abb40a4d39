const tries = 3;
/** Serialization failure, deadlock: the transaction did nothing and may simply be tried again. */
const transient = new Set(['40001', '40P01']);

export async function withRetries<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (attempt >= tries || !transient.has(code)) throw error;
    }
  }
}
