import { useMediaQuery } from '@mantine/hooks';
import panels from '#kitchen/web/board/panels.module.css';
import { DishChoices } from '#kitchen/web/till/dish-choices.tsx';
import { DishSearch } from '#kitchen/web/till/dish-search.tsx';
import { OrderForm } from '#kitchen/web/till/order-form.tsx';
import { TillLines } from '#kitchen/web/till/till-lines.tsx';
import classes from '#kitchen/web/till/till.module.css';
import { useTill } from '#kitchen/web/till/use-till.ts';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import type { Store } from '#store/contract.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';

interface NewOrderProps {
  store: Store;
  onClose: () => void;
  onPlaced: (order: Order) => void;
}

/** The dialog for an order by phone or at the counter, as fast to type as a customer speaks. */
export function NewOrder({ store, onClose, onPlaced }: NewOrderProps) {
  const { search, ...till } = useTill(store, onPlaced);
  const { draft, change, choosing, menu, quote } = till;
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });

  return (
    <Dialog
      opened
      onClose={onClose}
      closeOnEscape={choosing === null}
      closeOnClickOutside={false}
      size="68rem"
      fullScreen={isNarrow}
      title={m.kitchen_till_title()}
      classNames={{ title: panels.title ?? '' }}
    >
      {menu.data ? (
        <div className={classes.till}>
          <section className={classes.stack} aria-label={m.kitchen_till_dishes()}>
            {choosing ? (
              <DishChoices
                key={choosing.key ?? choosing.dish.item.id}
                store={store}
                dish={choosing.dish}
                line={choosing.line}
                isNew={choosing.key === null}
                onDone={till.finish}
                onBack={till.again}
              />
            ) : (
              <DishSearch ref={search} store={store} index={menu.data} onPick={till.add} />
            )}
            <TillLines
              store={store}
              index={menu.data}
              lines={draft.lines}
              quote={quote}
              onLines={(lines) => change({ lines })}
              onChange={till.open}
            />
          </section>
          <OrderForm
            store={store}
            draft={draft}
            quote={quote}
            placing={till.placing}
            onChange={change}
            onClear={till.clear}
          />
        </div>
      ) : menu.error ? (
        <Trouble error={menu.error} onRetry={() => void menu.refetch()} />
      ) : (
        // Until there is a field, typed keys must not press the button that closes the dialog.
        <div tabIndex={-1} data-autofocus>
          <Waiting />
        </div>
      )}
    </Dialog>
  );
}
