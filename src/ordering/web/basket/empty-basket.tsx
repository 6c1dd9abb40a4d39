import { m } from '#messages';

export function EmptyBasket() {
  return (
    <div className="grid justify-items-center gap-3 px-6 pt-4 pb-10 text-center text-ink-soft">
      <svg
        viewBox="0 0 96 72"
        className="w-28"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M20 34h56l-6 28a6 6 0 0 1-6 5H32a6 6 0 0 1-6-5Z" />
        <path d="M14 34h68M36 44v13m12-13v13m12-13v13" />
        <path d="M36 24c0-5 5-5 5-10m7 10c0-5 5-5 5-10m7 10c0-5 5-5 5-10" opacity=".55" />
      </svg>
      <p className="text-pretty">{m.ordering_basket_is_empty()}</p>
    </div>
  );
}
