import type { Printers } from '#printing/server/printer.ts';

/** A printer for every shop. It keeps what it receives, and prints it immediately unless it is broken. */
export function fakePrinter(): { printers: Printers; papers: string[]; isBroken: boolean } {
  const fake = {
    papers: [] as string[],
    isBroken: false,
    printers: {
      of: async () => ({
        async print(source: string) {
          if (fake.isBroken) throw new Error('The printer does not answer.');
          fake.papers.push(source);
        },
      }),
    },
  };
  return fake;
}
