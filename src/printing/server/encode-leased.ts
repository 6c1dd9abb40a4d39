import type { PaperFormat } from '#printing/paper/printer-profile.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { EncodedJob, PrintJob } from '#printing/server/transport.ts';

/**
 * The bytes of a leased job for the printer, in its best form or in `format`. null if they cannot be made: then it
 * failed.
 */
export async function encodeLeased(
  services: Pick<PrintingServices, 'encode' | 'leases' | 'log'>,
  job: PrintJob,
  format?: PaperFormat,
): Promise<EncodedJob | null> {
  try {
    return await services.encode(job, format);
  } catch (error) {
    services.log.error({ err: error, print: job.id }, 'a receipt cannot be encoded');
    await services.leases.result(job, { kind: 'refused', fault: 'unreadable' });
    return null;
  }
}
