import { Button, Radio, Textarea } from '@mantine/core';
import { useState } from 'react';
import { moneyBackWords, rejectWords } from '#kitchen/web/board-words.ts';
import classes from '#kitchen/web/panels.module.css';
import { m } from '#messages';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import type { Order, RejectReason } from '#ordering/order.ts';

/** The reasons that staff can choose; only the system uses `not_answered`. */
const reasons: readonly RejectReason[] = [
  'too_busy',
  'item_unavailable',
  'closing_early',
  'cannot_deliver',
  'bad_address',
  'other',
];

interface DialogProps {
  order: Order;
  call: 'reject' | 'cancel';
  onReason: (reason: string) => void;
  onClose: () => void;
}

/** Asks why an order is rejected or cancelled; no reason is preselected. Cancelling an accepted order needs a text. */
export function ReasonDialog({ order, call, onReason, onClose }: DialogProps) {
  const isReject = call === 'reject';
  return (
    <Dialog
      opened
      onClose={onClose}
      title={
        isReject
          ? m.kitchen_board_reject_title({ number: order.number })
          : m.kitchen_board_cancel_title({ number: order.number })
      }
      classNames={{ title: classes.title ?? '' }}
    >
      {isReject ? (
        <RejectReasons order={order} onReason={onReason} onClose={onClose} />
      ) : (
        <CancelReason order={order} onReason={onReason} onClose={onClose} />
      )}
    </Dialog>
  );
}

function RejectReasons({ order, onReason, onClose }: Omit<DialogProps, 'call'>) {
  const [reason, setReason] = useState<RejectReason | null>(null);
  const [isMissing, setMissing] = useState(false);
  const offered = reasons.filter(
    (code) => order.fulfilment_type === 'delivery' || (code !== 'cannot_deliver' && code !== 'bad_address'),
  );
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason) onReason(reason);
        else setMissing(true);
      }}
    >
      <p>{m.kitchen_board_reject_hint({ money: moneyBackWords(order) })}</p>
      <Radio.Group
        label={m.kitchen_board_reason()}
        value={reason}
        error={isMissing && !reason ? m.kitchen_board_reason_missing() : undefined}
        onChange={(value) => setReason(offered.find((code) => code === value) ?? null)}
      >
        {offered.map((code, place) => (
          <Radio
            key={code}
            data-autofocus={place === 0 || undefined}
            value={code}
            label={rejectWords[code]()}
            classNames={{ body: classes.choice ?? '', label: classes.choiceLabel ?? '' }}
          />
        ))}
      </Radio.Group>
      <Buttons onClose={onClose} yes={m.kitchen_board_reject()} />
    </form>
  );
}

function CancelReason({ order, onReason, onClose }: Omit<DialogProps, 'call'>) {
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim()) onReason(reason.trim());
        else setMissing(true);
      }}
    >
      <p>{m.kitchen_board_cancel_hint({ money: moneyBackWords(order) })}</p>
      <Textarea
        data-autofocus
        label={m.kitchen_board_cancel_reason()}
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={isMissing && !reason.trim() ? m.kitchen_board_cancel_reason_missing() : undefined}
      />
      <Buttons onClose={onClose} yes={m.kitchen_board_cancel()} />
    </form>
  );
}

function Buttons({ onClose, yes }: { onClose: () => void; yes: string }) {
  return (
    <div className={classes.buttons}>
      <Button variant="default" size="lg" onClick={onClose}>
        {m.kitchen_board_keep()}
      </Button>
      <Button type="submit" size="lg" color="bad">
        {yes}
      </Button>
    </div>
  );
}
