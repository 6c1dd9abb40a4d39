import { announceSettings } from '#database/settings-watch.ts';
import type { Tx } from '#database/schema.ts';

export const printersChannel = 'hatch_printers';
export const jobsChannel = 'hatch_print_jobs';

/** Tells every instance that a printer was added, changed or removed, or that its status changed. */
export const announcePrinters = (tx: Tx) => announceSettings(tx, printersChannel);

/** Tells every instance that a job waits for the printer, or waits for another time. */
export const announceJobs = (tx: Tx, printerId: string) => announceSettings(tx, jobsChannel, printerId);
