import { Counter } from '#kitchen/web/till/counter.tsx';
import type { TillLine } from '#kitchen/web/till/till-draft.ts';
import classes from '#kitchen/web/till/till-lines.module.css';
import till from '#kitchen/web/till/till.module.css';
import { m } from '#messages';
import type { Quote } from '#ordering/basket.ts';
import type { MenuIndex } from '#menu/menu-index.ts';
import { readSelections } from '#menu/option-rules.ts';
import { unitPrice } from '#ordering/pricing.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import { TypedText } from '#ui/web/typed-text.tsx';

interface LinesProps {
  store: Store;
  index: MenuIndex;
  lines: readonly TillLine[];
  quote: Quote | undefined;
  onLines: (lines: readonly TillLine[]) => void;
  onChange: (line: TillLine) => void;
}

/** The lines typed so far. */
export function TillLines({ store, index, lines, quote, onLines, onChange }: LinesProps) {
  if (lines.length === 0) return <p className={till.hint}>{m.kitchen_till_empty()}</p>;
  const setQuantity = (line: TillLine, quantity: number): void => {
    onLines(
      quantity > 0
        ? lines.map((old) => (old === line ? { ...line, quantity } : old))
        : lines.filter((old) => old !== line),
    );
  };
  return (
    <ul className={classes.lines}>
      {lines.map((line, place) => {
        const dish = index.items.get(line.item_id);
        const name = dish?.item.name ?? m.kitchen_till_gone();
        const selected = dish ? readSelections(dish, line.options).selected : [];
        const problems = quote?.problems.filter(
          ({ path }) => path.startsWith(`lines.${place}.`) || path === `lines.${place}`,
        );
        return (
          <li key={line.key}>
            <button type="button" className={classes.line} onClick={() => onChange(line)}>
              <span className="visually-hidden">{m.kitchen_till_edit()}: </span>
              <strong>{name}</strong>
              {selected.map(({ option, quantity }) => (
                <span key={option.id} className={till.soft}>
                  {quantity > 1 ? m.kitchen_board_option_many({ quantity, name: option.name }) : option.name}
                </span>
              ))}
              {line.note && (
                <em>
                  <TypedText text={line.note} />
                </em>
              )}
            </button>
            <Counter
              label={name}
              value={line.quantity}
              least={0}
              onChange={(quantity) => setQuantity(line, quantity)}
            />
            <span className={`${till.money} ${classes.price}`}>
              {dish && formatMoney(unitPrice(dish.item, selected) * line.quantity, store.currency)}
            </span>
            {problems?.map(({ code, message }) => (
              <p key={code} className={till.problem}>
                {message}
              </p>
            ))}
          </li>
        );
      })}
    </ul>
  );
}
