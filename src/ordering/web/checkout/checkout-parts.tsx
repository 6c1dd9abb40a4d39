import { type FocusEvent, type ReactNode, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#messages';
import type { FieldErrors } from '#platform/errors.ts';
import { Notices } from '#ui/web/notices.tsx';

/* The parts of the checkout, in the order of the page. A complete part is folded to one line, until the customer opens
   it. */

const fieldsOfParts = {
  where: ['address', 'fulfilment_type'],
  when: ['requested_for'],
  who: ['contact'],
  notes: ['allergy_note', 'note', 'if_sold_out', 'cutlery'],
  pay: ['payment_method'],
} as const;

export type CheckoutPartName = keyof typeof fieldsOfParts;
export interface CheckoutParts {
  open: readonly CheckoutPartName[];
  /** Whether a part cannot be folded, because it is the first incomplete part or has an error. */
  mustAnswer: (part: CheckoutPartName) => boolean;
  toggle: (part: CheckoutPartName) => void;
  show: (part: CheckoutPartName) => void;
  /** Opens `part` and folds all other complete parts. */
  showAlone: (part: CheckoutPartName) => void;
}

/**
 * The parts in the order in which they are completed. The part `notes` has only optional fields, so it is always
 * complete.
 */
const partNames = Object.keys(fieldsOfParts) as CheckoutPartName[];

/**
 * The open parts: the first incomplete part, each part with an error, and a part that the customer opened. A part that
 * becomes complete stays open, because the customer may still type in it. It is folded once the customer goes on to
 * another part, or at the next `attempt` to order.
 */
export function useCheckoutParts(
  isComplete: Record<CheckoutPartName, boolean>,
  errors: FieldErrors,
  attempt: number,
): CheckoutParts {
  const [open, setOpen] = useState<readonly CheckoutPartName[]>([]);
  const [seen, setSeen] = useState(attempt);
  const needed = partsToOpen(isComplete, errors);
  if (seen !== attempt) {
    setSeen(attempt);
    setOpen(needed);
  } else if (!needed.every((part) => open.includes(part))) setOpen([...new Set([...open, ...needed])]);
  const showAlone = (part: CheckoutPartName) => setOpen([part, ...needed]);
  return {
    open,
    mustAnswer: (part) => needed.includes(part),
    toggle: (part) => (open.includes(part) ? setOpen(open.filter((one) => one !== part)) : showAlone(part)),
    show: (part) => setOpen(open.includes(part) ? open : [...open, part]),
    showAlone,
  };
}

export function partsToOpen(isComplete: Record<CheckoutPartName, boolean>, errors: FieldErrors): CheckoutPartName[] {
  const first = partNames.find((part) => !isComplete[part]);
  const failed = new Set<string>(Object.keys(errors).map((field) => field.split('.')[0] ?? field));
  return partNames.filter((part) => part === first || fieldsOfParts[part].some((field) => failed.has(field)));
}

interface CheckoutPartProps {
  name: CheckoutPartName;
  parts: CheckoutParts;
  title: string;
  /** The text of the folded part; null while the part is incomplete. */
  summary: string | null;
  children: ReactNode;
}

/** A part of the checkout. While it is folded its fields are hidden and not removed, so that the form sends them. */
export function FoldableCheckoutPart({ name, parts, title, summary, children }: CheckoutPartProps) {
  const id = useId();
  const isOpen = parts.open.includes(name);
  const words = (
    <span id={`${id}-title`} className={`block ${isOpen ? 'text-xl' : 'text-sm font-medium text-ink-soft'}`}>
      {title}
    </span>
  );
  const look = 'flex min-h-13 w-full flex-wrap items-center gap-x-3 px-4 py-1.5 text-left sm:px-6';
  return (
    <section aria-labelledby={`${id}-title`}>
      <h2>
        {parts.mustAnswer(name) ? (
          <span className={look}>{words}</span>
        ) : (
          <button
            type="button"
            className={look}
            aria-expanded={isOpen}
            aria-controls={`${id}-fields`}
            onClick={({ currentTarget }) => stayInPlace(currentTarget, () => parts.toggle(name))}
          >
            <span className="min-w-0 flex-[1_1_8rem] leading-snug">
              {words}
              {!isOpen && summary && (
                <span className="part-words num block font-semibold wrap-anywhere">{summary}</span>
              )}
            </span>
            <span className="part-words link text-sm">
              {isOpen ? m.ordering_part_done() : summary === null ? m.ordering_part_add() : m.ordering_part_change()}
            </span>
          </button>
        )}
      </h2>
      <div
        id={`${id}-fields`}
        className="grid gap-5 px-4 pt-1 pb-5 sm:px-6"
        hidden={!isOpen}
        onFocus={(event) => {
          // Only the focus of a text field folds the other parts. If a tapped button or checkbox did so, it could move
          // away before the finger is lifted.
          if (isTextField(event)) stayInPlace(event.target, () => parts.showAlone(name));
        }}
      >
        {children}
      </div>
      <Notices />
    </section>
  );
}

function isTextField({ target }: FocusEvent): boolean {
  return target.matches('textarea, input:not([type="radio"], [type="checkbox"])');
}

/** Changes the page and scrolls, so that the touched element stays under the finger while parts above it fold. */
function stayInPlace(touched: HTMLElement, change: () => void): void {
  const { top } = touched.getBoundingClientRect();
  flushSync(change);
  scrollBy(0, touched.getBoundingClientRect().top - top);
}

export function CheckoutSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-1.5 px-4 py-2 sm:px-6">
      <h2 id={id} className="text-sm font-medium text-ink-soft">
        {title}
      </h2>
      {children}
      <Notices />
    </section>
  );
}
