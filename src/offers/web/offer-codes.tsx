import { Alert, Button, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import type { Offer } from '#offers/contract.ts';
import { numberOrNull } from '#offers/web/offer-parts.ts';
import classes from '#offers/web/offers.module.css';
import { apiFile } from '#platform/web/api.ts';
import { shopOrigin } from '#platform/web/shop-origin.ts';
import { notify } from '#ui/web/notify.ts';
import { CopyField } from '#ui/web/office/copy-field.tsx';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { QrCode } from '#ui/web/qr-code.tsx';
import { saveFile } from '#ui/web/save-file.ts';

/** Shows the link that puts a code into the basket, as text to copy and as a QR code to print. */
export function CodeLinkDialog({ code, onClose }: { code: string; onClose: () => void }) {
  const address = `${shopOrigin()}/menu?code=${encodeURIComponent(code)}`;
  return (
    <Dialog opened onClose={onClose} title={m.offers_link_title({ code })}>
      <div className={classes.form}>
        <p>{m.offers_link_hint()}</p>
        <CopyField label={m.offers_link()} value={address} />
        <QrCode text={address} label={m.offers_link_qr({ address })} />
      </div>
    </Dialog>
  );
}

const mostAtOnce = 1000;

interface CodesProps {
  offer: Offer;
  onMade: () => Promise<unknown>;
  onClose: () => void;
}

export function CodesDialog({ offer: { id, name, codes_made: made, codes_used: used }, onMade, onClose }: CodesProps) {
  const [count, setCount] = useState<number | null>(100);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isWrong = count === null || count < 1 || count > mostAtOnce;
  const make = async () => {
    if (isWrong || isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      const stream = await apiFile('POST /v1/offers/{id}/codes', { id, count }, { timeout: 60_000 });
      saveFile(await new Response(stream).blob(), `${name} ${count}.csv`);
      notify({ text: m.offers_codes_made({ count }) });
      onClose();
    } catch (error) {
      setFailure(refusalWords(error));
      setBusy(false);
    }
    await onMade();
  };
  return (
    <Dialog opened onClose={onClose} title={m.offers_codes_of({ name })}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <p>{m.offers_codes_hint()}</p>
        {made > 0 && <p className="num">{m.offers_codes_counts({ made, used })}</p>}
        <NumberInput
          label={m.offers_codes_count()}
          description={m.offers_codes_most({ max: mostAtOnce })}
          data-autofocus
          value={count ?? ''}
          min={1}
          max={mostAtOnce}
          onChange={(text) => setCount(numberOrNull(text))}
        />
        {failure && (
          <Alert role="alert" color="bad">
            {failure}
          </Alert>
        )}
        <div className={classes.buttons}>
          <Button type="submit" loading={isBusy} disabled={isWrong}>
            {m.offers_codes_make()}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
