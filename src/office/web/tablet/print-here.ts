import { jobBytes, outcomeOf } from '#office/web/tablet/printer-words.ts';
import { api, ApiError, readToken } from '#platform/web/api.ts';
import type { NativeShell, PrintOutcome } from '#platform/web/native/native-shell.ts';

/** Milliseconds between two questions for a job, and after one that failed. */
const askEvery = 3000;
const failedFor = 10_000;

/** Prints the shop's jobs on printers of this network, one after the other, until the returned function is called. */
export function printHere(shell: NativeShell): () => void {
  const { print } = shell;
  if (!print) return () => undefined;
  let timer: ReturnType<typeof setTimeout>;
  let isOver = false;
  const work = async (): Promise<void> => {
    let wait = askEvery;
    try {
      if (readToken() !== null && (await printNext(print))) wait = 0;
    } catch {
      // Nothing was promised: the job goes to another device, or here again.
      wait = failedFor;
    }
    if (!isOver) timer = setTimeout(() => void work(), wait);
  };
  void work();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** True when there was a job. */
async function printNext(print: NonNullable<NativeShell['print']>): Promise<boolean> {
  const claimed = await api('POST /v1/prints/claim', {}, { timeout: 15_000 });
  // 204
  if (!claimed) return false;
  const { id, lease_id: lease, printer, media_type: mediaType, content } = claimed.data;
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(printer.address) ?? [];
  const job = jobBytes(mediaType, content, { host, port: Number(port) });
  if (!job) {
    await report(id, { status: 'failed', detail: 'The tablet cannot send this form.', lease_id: lease });
    return true;
  }
  try {
    // From here on nobody else may print it.
    await report(id, { status: 'sent', lease_id: lease });
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return true;
    throw error;
  }
  const outcome: PrintOutcome = await print({ host: host.replace(/^\[|\]$/g, ''), port: Number(port), ...job });
  await report(id, { ...outcomeOf(outcome, job.protocol), lease_id: lease });
  return true;
}

interface Report {
  status: 'sent' | 'printed' | 'failed' | 'unknown';
  fault?: 'paper_out' | 'cover_open' | 'offline' | 'other';
  detail?: string;
  lease_id: string;
}

/** A report that gets lost is sent again, as long as the connection comes back soon. */
async function report(id: string, body: Report): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await api('POST /v1/prints/{id}/result', { id, ...body }, { timeout: 10_000 });
      return;
    } catch (error) {
      const isLost = error instanceof ApiError && (error.status === 0 || error.status >= 500);
      if (!isLost || attempt === 5) throw error;
      await new Promise((resolve) => void setTimeout(resolve, 1000 * 2 ** attempt));
    }
  }
}
