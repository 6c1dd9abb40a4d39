import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import type { AllergenConflict } from '#menu/allergen-conflicts.ts';
import type { AllergenCode } from '#menu/allergen-codes.ts';
import type { Item } from '#menu/menu-shapes.ts';
import { isDishSoldOut } from '#menu/sold-out.ts';
import { ConflictMarks } from '#menu/web/dish-marks.tsx';
import { AllergyQuestion } from '#ordering/web/allergy-question.tsx';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { takesOrders } from '#store/web/fulfilment.ts';
import { NoOrders } from '#store/web/shop-parts.tsx';
import { Stepper } from '#ui/web/stepper.tsx';

interface SheetFootProps {
  store: Store;
  item: Item;
  /** The avoided allergens of the dish with its present choices. */
  conflicts: AllergenConflict[];
  avoided: readonly AllergenCode[];
  quantity: number;
  onQuantity: (quantity: number) => void;
  /** Whether everything is chosen; leads to a missing choice. */
  canAdd: () => boolean;
  onAdd: () => void;
  children: ReactNode;
}

/** How many, and into the basket; a dish with something that is avoided is asked about first. */
export function SheetFoot(props: SheetFootProps) {
  const { store, item, conflicts, avoided, quantity, onQuantity, canAdd, onAdd, children } = props;
  const now = useNow();
  const [isAsked, setAsked] = useState(false);
  const soldOut = isDishSoldOut(item, now);
  const isTaking = takesOrders(store, now);
  const finish = () => {
    if (!canAdd()) return;
    if (conflicts.length > 0) setAsked(true);
    else onAdd();
  };
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line p-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
      {/* At the button, so that no length of a dish hides it. */}
      <p role="status" className="w-full rounded-box bg-warn-soft px-3.5 py-2.5 empty:hidden">
        <ConflictMarks conflicts={conflicts} />
      </p>
      {soldOut && <p className="flex-1 py-2.5 text-center font-bold">{m.menu_sold_out_long()}</p>}
      {!soldOut && !isTaking && <NoOrders store={store} />}
      {!soldOut && isTaking && (
        <Take item={item} quantity={quantity} onQuantity={onQuantity} onTake={finish}>
          {children}
        </Take>
      )}
      {isAsked && (
        <AllergyQuestion
          title={m.ordering_allergy_add_title({ dish: item.name })}
          avoided={avoided}
          dishes={[{ key: item.id, name: item.name, conflicts }]}
          yes={m.ordering_allergy_add()}
          no={m.ordering_allergy_leave()}
          onYes={onAdd}
          onNo={() => setAsked(false)}
        />
      )}
    </div>
  );
}

interface TakeProps {
  item: Pick<Item, 'max_per_order'>;
  quantity: number;
  onQuantity: (quantity: number) => void;
  onTake: () => void;
  children: ReactNode;
}

function Take({ item, quantity, onQuantity, onTake, children }: TakeProps) {
  return (
    <>
      <Stepper
        label={m.menu_quantity()}
        value={quantity}
        min={1}
        max={item.max_per_order ?? 99}
        onChange={onQuantity}
      />
      <button type="button" className="btn btn-primary num min-h-12 flex-1 text-lg whitespace-nowrap" onClick={onTake}>
        {children}
      </button>
    </>
  );
}
