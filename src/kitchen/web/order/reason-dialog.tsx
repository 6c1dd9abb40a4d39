import { Button, Radio } from '@mantine/core';
import { useState } from 'react';
import { rejectionMoneyWords, rejectReasonWords } from '#kitchen/web/board-words.ts';
import classes from '#kitchen/web/board/panels.module.css';
import {
  type ChosenReason,
  noReasonChosen,
  ReasonChoice,
  reasonToSend,
  ReasonRadio,
} from '#kitchen/web/order/reason-choice.tsx';
import { m } from '#messages';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { cancelReasonWords } from '#ordering/history-words.ts';
import type { CancelReason, Order, RejectReason } from '#ordering/order.ts';
import { keysOf } from '#platform/keys-of.ts';

/** The reasons for staff to choose; only the system uses `not_answered`. */
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
        <CancelReasons order={order} onReason={onReason} onClose={onClose} />
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
      <p>{m.kitchen_board_reject_hint({ money: rejectionMoneyWords(order) })}</p>
      <Radio.Group
        label={m.kitchen_board_reason()}
        value={reason}
        error={isMissing && !reason ? m.kitchen_board_reason_missing() : undefined}
        onChange={(value) => setReason(offered.find((code) => code === value) ?? null)}
      >
        {offered.map((code, place) => (
          <ReasonRadio key={code} value={code} label={rejectReasonWords[code]()} isFirst={place === 0} />
        ))}
      </Radio.Group>
      <Buttons onClose={onClose} yes={m.kitchen_board_reject()} />
    </form>
  );
}

const cancelCodes = keysOf(cancelReasonWords);

function CancelReasons({ order, onReason, onClose }: Omit<DialogProps, 'call'>) {
  const [chosen, setChosen] = useState<ChosenReason<CancelReason>>(noReasonChosen);
  const [isChecked, setChecked] = useState(false);
  const reason = reasonToSend(chosen);
  const offered = cancelCodes.filter((code) => order.fulfilment_type === 'delivery' || code !== 'cannot_deliver');
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason) onReason(reason);
        else setChecked(true);
      }}
    >
      <p>{m.kitchen_board_cancel_hint({ money: rejectionMoneyWords(order) })}</p>
      <ReasonChoice
        label={m.kitchen_board_cancel_reason()}
        codes={offered}
        words={cancelReasonWords}
        other={m.kitchen_board_reason_other()}
        missing={{ choice: m.kitchen_board_reason_missing(), text: m.kitchen_board_cancel_reason_missing() }}
        isChecked={isChecked}
        isFocused
        chosen={chosen}
        onChange={setChosen}
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
