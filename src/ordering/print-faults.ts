/** The faults that mean that nothing can be heard from a printer. Browsers have this list without the schemas. */
export const unreachableFaults = [
  'offline',
  'no_device',
  'wrong_address',
  'address_private',
  'address_own_machine',
  'address_not_single',
  'address_unknown',
  'no_print_system',
  'no_queue',
  'queue_stopped',
  'refused_by_browser',
] as const;
