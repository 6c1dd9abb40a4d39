import { Button } from '@mantine/core';
import { m } from '#messages';
import type { PrinterKind } from '#printing/printer.ts';
import { kindMeaning, kindWords } from '#printing/web/printer-words.ts';
import classes from '#printing/web/printers.module.css';

/** The ways to a printer, in an owner's words. */
export function ChooseKind({ onChoose }: { onChoose: (kind: PrinterKind) => void }) {
  return (
    <section aria-labelledby="which-kind">
      <h2 id="which-kind" className={classes.which}>
        {m.printing_office_which()}
      </h2>
      <ul className={classes.kinds}>
        {kinds.map((kind) => (
          <li key={kind} data-kind={kind}>
            <h3>{kindWords[kind]()}</h3>
            <p>{kindMeaning[kind]()}</p>
            <Button
              variant="default"
              aria-label={`${m.printing_office_choose()}: ${kindWords[kind]()}`}
              onClick={() => onChoose(kind)}
            >
              {m.printing_office_choose()}
            </Button>
          </li>
        ))}
        <li>
          <h3>{m.printing_office_kind_dialog()}</h3>
          <p>{m.printing_office_kind_dialog_means()}</p>
        </li>
      </ul>
    </section>
  );
}

/** Those that need nothing in the shop's network first. */
const kinds: readonly PrinterKind[] = ['star_cloudprnt', 'epson_sdp', 'network', 'browser', 'system'];
