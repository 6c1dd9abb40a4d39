import { Button, Radio, Textarea } from '@mantine/core';
import { useState } from 'react';
import { moneyBackWords, rejectWords } from '#kitchen/web/board-words.ts';
import classes from '#kitchen/web/panels.module.css';
import { m } from '#messages';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { cancelReasons } from '#ordering/history-words.ts';
import type { CancelReason, Order, RejectReason } from '#ordering/order.ts';
import { keysOf } from '#platform/keys-of.ts';

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

/** Asks why an order is rejected or cancelled; no reason is preselected. Another reason to cancel is typed. */
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
      <p>{m.kitchen_board_reject_hint({ money: moneyBackWords(order) })}</p>
      <Radio.Group
        label={m.kitchen_board_reason()}
        value={reason}
        error={isMissing && !reason ? m.kitchen_board_reason_missing() : undefined}
        onChange={(value) => setReason(offered.find((code) => code === value) ?? null)}
      >
        {offered.map((code, place) => (
          <ReasonRadio key={code} value={code} label={rejectWords[code]()} isFirst={place === 0} />
        ))}
      </Radio.Group>
      <Buttons onClose={onClose} yes={m.kitchen_board_reject()} />
    </form>
  );
}

const cancelCodes = keysOf(cancelReasons);

function CancelReasons({ order, onReason, onClose }: Omit<DialogProps, 'call'>) {
  const [choice, setChoice] = useState<CancelReason | 'other' | null>(null);
  const [text, setText] = useState('');
  const [isChecked, setChecked] = useState(false);
  const reason = choice === 'other' ? text.trim() : choice;
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
      <p>{m.kitchen_board_cancel_hint({ money: moneyBackWords(order) })}</p>
      <Radio.Group
        label={m.kitchen_board_cancel_reason()}
        description={m.kitchen_take_off_why_hint()}
        value={choice}
        error={isChecked && choice === null ? m.kitchen_board_reason_missing() : undefined}
        onChange={(value) => setChoice([...offered, 'other' as const].find((code) => code === value) ?? null)}
      >
        {offered.map((code, place) => (
          <ReasonRadio key={code} value={code} label={cancelReasons[code]()} isFirst={place === 0} />
        ))}
        <ReasonRadio value="other" label={m.kitchen_board_reason_other()} />
      </Radio.Group>
      {choice === 'other' && (
        <Textarea
          label={m.kitchen_take_off_other_label()}
          maxLength={300}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={isChecked && !text.trim() ? m.kitchen_board_cancel_reason_missing() : undefined}
        />
      )}
      <Buttons onClose={onClose} yes={m.kitchen_board_cancel()} />
    </form>
  );
}

function ReasonRadio({ value, label, isFirst = false }: { value: string; label: string; isFirst?: boolean }) {
  return (
    <Radio
      data-autofocus={isFirst || undefined}
      value={value}
      label={label}
      classNames={{ body: classes.choice ?? '', label: classes.choiceLabel ?? '' }}
    />
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
