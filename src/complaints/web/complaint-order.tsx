import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComplaintWish, complaintWishes } from '#database/column-values.ts';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { chosenOptionWords } from '#ordering/order-words.ts';
import { isFullOrder, orderQuery, orderQueryKey } from '#ordering/web/order/use-order.ts';
import { ApiError } from '#platform/web/api.ts';
import { PhoneLink } from '#store/web/shop-parts.tsx';
import { Icon } from '#ui/web/icon.tsx';

const wishWords: Record<ComplaintWish, () => string> = {
  money_back: m.complaints_wish_money_back,
  make_again: m.complaints_wish_make_again,
  only_tell: m.complaints_wish_only_tell,
};

/** The customer's choices about their order, besides the text. */
export interface OrderComplaintDraft {
  isAllergy: boolean;
  /** The quantity of each line that is not right, by the line's id. */
  pieces: Readonly<Record<string, number>>;
  wish: ComplaintWish | null;
}

export const emptyOrderComplaint: OrderComplaintDraft = { isAllergy: false, pieces: {}, wish: null };

interface ComplaintOrder {
  /** The order, if the visitor may read it whole; null otherwise, and while it loads. */
  order: Order | null;
  /** Waits for the order; null if the server refuses it. Throws if the server cannot be reached or fails. */
  load: () => Promise<Order | null>;
  refetch: () => void;
}

export function useComplaintOrder(id: string): ComplaintOrder {
  const queries = useQueryClient();
  // The cached order may be the guest's view, so it is always stale.
  const query = { ...orderQuery(id), staleTime: 0 };
  const { data } = useQuery({ ...query, enabled: id !== '' });
  const order = data && isFullOrder(data) ? data : null;
  const load = async () => {
    if (order || id === '') return order;
    try {
      const loaded = await queries.fetchQuery({ ...query, retry: false });
      return isFullOrder(loaded) ? loaded : null;
    } catch (error) {
      if (error instanceof ApiError && (error.status === 401 || !error.isUndecided)) return null;
      throw error;
    }
  };
  return { order, load, refetch: () => void queries.invalidateQueries({ queryKey: orderQueryKey(id) }) };
}

interface OrderPartProps {
  order: Order | null;
  draft: OrderComplaintDraft;
  onChange: (draft: OrderComplaintDraft) => void;
  phone: string;
}

/** The questions about an order: whether it is about an allergy, the dishes, and the customer's wish. */
export function OrderComplaintFields({ order, draft, onChange, phone }: OrderPartProps) {
  return (
    <>
      <div className="grid gap-3">
        <label className="flex min-h-11 items-center gap-3 font-semibold">
          <input
            type="checkbox"
            checked={draft.isAllergy}
            onChange={(event) => onChange({ ...draft, isAllergy: event.target.checked })}
            className="size-5 shrink-0 accent-accent-edge"
          />
          {m.complaints_allergy()}
        </label>
        <div role="alert" className="empty:hidden">
          {draft.isAllergy && <AllergyHelp phone={phone} />}
        </div>
      </div>
      {order && (
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-semibold">{m.complaints_dishes()}</legend>
          {order.lines.map((line) => (
            <Dish
              key={line.id}
              line={line}
              chosen={draft.pieces[line.id] ?? 0}
              onChoose={(count) => onChange({ ...draft, pieces: { ...draft.pieces, [line.id]: count } })}
            />
          ))}
        </fieldset>
      )}
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-semibold">{m.complaints_wish()}</legend>
        {complaintWishes.map((wish) => (
          <label key={wish} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="wish"
              value={wish}
              checked={draft.wish === wish}
              onChange={() => onChange({ ...draft, wish })}
              className="size-5 shrink-0 accent-accent-edge"
            />
            {wishWords[wish]()}
          </label>
        ))}
      </fieldset>
    </>
  );
}

/** The emergency number and the shop's phone. */
export function AllergyHelp({ phone }: { phone: string }) {
  return (
    <div className="grid gap-3 rounded-box bg-bad-soft p-4 text-bad-text">
      <p className="font-semibold">{phone ? m.complaints_urgent({ phone }) : m.complaints_urgent_no_phone()}</p>
      <div className="flex flex-wrap gap-3">
        <a href="tel:999" className="btn btn-danger num">
          <Icon name="phone" />
          {m.complaints_call_999()}
        </a>
        <PhoneLink store={{ phone }} />
      </div>
    </div>
  );
}

interface DishProps {
  line: Order['lines'][number];
  chosen: number;
  onChoose: (count: number) => void;
}

function Dish({ line: { name, options, quantity }, chosen, onChoose }: DishProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <label className="flex min-h-11 min-w-0 flex-1 items-center gap-3">
        <input
          type="checkbox"
          checked={chosen > 0}
          onChange={(event) => onChoose(event.target.checked ? quantity : 0)}
          className="size-5 shrink-0 accent-accent-edge"
        />
        <span className="min-w-0 wrap-anywhere">
          {name}
          {options.length > 0 && <span className="block text-sm text-ink-soft">{chosenOptionWords(options)}</span>}
        </span>
      </label>
      {chosen > 0 && quantity > 1 && (
        <select
          aria-label={m.complaints_pieces({ name })}
          value={chosen}
          onChange={(event) => onChoose(Number(event.target.value))}
          className="control num w-auto"
        >
          {Array.from({ length: quantity }, (_, at) => at + 1).map((count) => (
            <option key={count} value={count}>
              {m.complaints_pieces_of({ count, quantity })}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
