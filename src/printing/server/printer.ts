/** A machine that prints receipts on paper. */
export interface Printer {
  /**
   * Prints a receiptline source; resolves once the paper is out. Rejects when that is not known: the paper may have been
   * printed.
   */
  print(source: string): Promise<void>;
}

/** Which printer a store has. */
export interface Printers {
  /** null: none is set up, so nothing is printed. */
  of(storeId: string): Promise<Printer | null>;
}

/** No printer can be set up yet. */
export const noPrinters: Printers = { of: async () => null };
