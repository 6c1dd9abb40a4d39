import { Button, Checkbox } from '@mantine/core';
import '#ui/web/office/mantine-deferred-styles.ts';
import { useState } from 'react';
import type { BoardCallInput } from '#kitchen/board-steps.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { removalMoneyWords, rejectionMoneyWords } from '#kitchen/web/board-words.ts';
import panels from '#kitchen/web/board/panels.module.css';
import { type ChosenReason, noReasonChosen, ReasonChoice, reasonToSend } from '#kitchen/web/order/reason-choice.tsx';
import classes from '#kitchen/web/order/remove-dishes-dialog.module.css';
import { QuantityCounter } from '#kitchen/web/till/quantity-counter.tsx';
import { m } from '#messages';
import { removalReasonWords } from '#ordering/history-words.ts';
import { optionsForKitchen, chosenOptionWords } from '#ordering/order-words.ts';
import type { Order, RemovalReason } from '#ordering/order.ts';
import { removeLines, type WantedRemoval } from '#ordering/remove-lines.ts';
import { keysOf } from '#platform/keys-of.ts';
import { formatMoney } from '#platform/money.ts';
import { unmetChargeMinimum } from '#store/card-provider.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';

interface DialogProps {
  order: Order;
  onTakeOff: (input: Required<Pick<BoardCallInput, 'lines' | 'reason' | 'endsOffers'>>) => void;
  onClose: () => void;
}

const codes = keysOf(removalReasonWords);

export function RemoveDishesDialog({ order, onTakeOff, onClose }: DialogProps) {
  const [pieces, setPieces] = useState<Record<string, number>>({});
  const [chosen, setChosen] = useState<ChosenReason<RemovalReason>>(noReasonChosen);
  const [isChecked, setChecked] = useState(false);
  const [endsOffers, setEndsOffers] = useState(false);
  const offers = order.discounts.filter(({ of_fee }) => !of_fee).map(({ name }) => name);
  const lines = order.lines.flatMap(({ id, quantity: was }) => {
    const quantity = Math.min(pieces[id] ?? 0, was);
    return quantity > 0 ? [{ line_id: id, quantity, was }] : [];
  });
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const reason = reasonToSend(chosen);

  return (
    <Dialog
      opened
      onClose={onClose}
      title={m.kitchen_take_off_title({ number: order.number })}
      classNames={{ title: panels.title ?? '' }}
    >
      <form
        className={panels.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (count > 0 && reason) onTakeOff({ lines, reason, endsOffers });
          else setChecked(true);
        }}
      >
        <Lines order={order} pieces={pieces} onChange={setPieces} />
        {isChecked && count === 0 && (
          <p className={panels.missing} role="alert">
            {m.kitchen_take_off_none()}
          </p>
        )}
        <ReasonChoice
          label={m.kitchen_take_off_why()}
          codes={codes}
          words={removalReasonWords}
          other={m.kitchen_take_off_other()}
          missing={{ choice: m.kitchen_take_off_why_missing(), text: m.kitchen_take_off_other_missing() }}
          isChecked={isChecked}
          chosen={chosen}
          onChange={setChosen}
        />
        {offers.length > 0 && (
          <Checkbox
            size="md"
            label={m.kitchen_take_off_offers({ names: offers.join(', ') })}
            description={m.kitchen_take_off_offers_hint()}
            checked={endsOffers}
            onChange={(event) => setEndsOffers(event.currentTarget.checked)}
          />
        )}
        <Outcome order={order} lines={lines} endsOffers={endsOffers} />
        <div className={panels.buttons}>
          <Button variant="default" size="lg" onClick={onClose}>
            {m.platform_cancel()}
          </Button>
          <Button type="submit" size="lg" color="bad">
            {count === 0 ? m.kitchen_take_off_yes_none() : m.kitchen_take_off_yes({ count })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface LinesProps {
  order: Order;
  pieces: Record<string, number>;
  onChange: (pieces: Record<string, number>) => void;
}

function Lines({ order, pieces, onChange }: LinesProps) {
  const { store } = useBoardControls();
  return (
    <ul className={classes.takeOff} aria-label={m.kitchen_take_off_what()}>
      {order.lines.map(({ id, name, kitchen_name, options, quantity, unit_price }) => (
        <li key={id} data-chosen={(pieces[id] ?? 0) > 0 || undefined}>
          <span>
            <strong>{m.kitchen_take_off_of({ quantity, name: kitchen_name ?? name })}</strong>
            {options.length > 0 && <span className={panels.soft}>{chosenOptionWords(optionsForKitchen(options))}</span>}
            <span className={panels.soft}>
              {m.kitchen_take_off_price({ price: formatMoney(unit_price, store.currency) })}
            </span>
          </span>
          <QuantityCounter
            label={kitchen_name ?? name}
            value={Math.min(pieces[id] ?? 0, quantity)}
            least={0}
            most={quantity}
            of="taken-off"
            onChange={(chosen) => onChange({ ...pieces, [id]: chosen })}
          />
        </li>
      ))}
    </ul>
  );
}

interface OutcomeProps {
  order: Order;
  lines: readonly WantedRemoval[];
  endsOffers: boolean;
}

function Outcome({ order, lines, endsOffers }: OutcomeProps) {
  const { store } = useBoardControls();
  const money = (amount: number): string => formatMoney(amount, store.currency);
  const left = lines.length > 0 ? removeLines(order, lines, { endsOffers }) : null;
  if (!left || 'fault' in left) return <output>{m.kitchen_take_off_hint()}</output>;
  const isHeld = order.payment.method === 'card' && order.payment_status === 'authorised';
  const least = isHeld && left.lines.length > 0 ? unmetChargeMinimum(store.currency, left.total) : null;
  if (least !== null) {
    const words = { amount: money(left.total), least: money(least) };
    return <output className={panels.missing}>{m.payment_removal_too_little(words)}</output>;
  }
  const outcome =
    left.lines.length === 0
      ? m.kitchen_take_off_all({ money: rejectionMoneyWords(order) })
      : m.kitchen_take_off_new_total({
          total: money(left.total),
          before: money(order.total),
          money: removalMoneyWords(order, money(order.total - left.total)),
        });
  return (
    <output>
      <strong>{outcome}</strong> {m.kitchen_take_off_hint()}
    </output>
  );
}
