import { useState } from 'react';
import { m } from '#messages';
import type { Printer, PrinterKind } from '#printing/printer.ts';
import { ChooseKind } from '#printing/web/choose-kind.tsx';
import { DetailsForm } from '#printing/web/details-form.tsx';
import { newDetails } from '#printing/web/printer-draft.ts';
import { kindMeaning, kindWords } from '#printing/web/printer-words.ts';
import classes from '#printing/web/printers.module.css';
import { usePrinterCalls } from '#printing/web/use-printers.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';

interface AddPrinterProps {
  store: Store;
  printers: readonly Printer[];
  onAdded: (printer: Printer) => void;
}

/** Which kind it is, what it is called, and where it is. The rest is done on the printer's own page. */
export function AddPrinter({ store, printers, onAdded }: AddPrinterProps) {
  const [kind, setKind] = useState<PrinterKind | null>(null);
  const { add } = usePrinterCalls(store.id);
  if (!kind) return <ChooseKind onChoose={setKind} />;
  // The first one prints the kitchen receipts; what another one is for, nobody has said yet.
  const isFirst = printers.every((printer) => !printer.receipts.includes('kitchen'));
  return (
    <section className={classes.panel}>
      <h2>{kindWords[kind]()}</h2>
      <p>{kindMeaning[kind]()}</p>
      <DetailsForm
        kind={kind}
        first={newDetails(kind, '')}
        action={m.printing_office_add()}
        leave={{ words: m.printing_office_back_to_kinds(), run: () => setKind(null) }}
        onSave={async (details) => {
          const receipts = isFirst ? (['kitchen'] as const) : [];
          const printer = await add.mutateAsync({ ...details, store_id: store.id, kind, receipts: [...receipts] });
          notify({ text: m.printing_office_added({ name: printer.name }) });
          onAdded(printer);
        }}
      />
    </section>
  );
}
