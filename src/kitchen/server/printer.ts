/** A machine that puts receipts on paper. */
export interface Printer {
  /**
   * Prints a receiptline source; ends once the paper is out. Rejects when nobody can say whether it is: the paper may lie
   * on the counter all the same.
   */
  print(source: string): Promise<void>;
}

/** Which printer a store has. */
export interface Printers {
  /** null: none is set up, so nothing is asked for. */
  of(storeId: string): Promise<Printer | null>;
}

/** No printer can be set up yet. */
export const noPrinters: Printers = { of: async () => null };
