export interface Notice {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
  /** The place near which somebody acted when it was said. */
  place: Element | null;
}

/** What is said at the moment. The places where it shows (`notices.tsx`) are loaded after the first view. */
export const said: { notices: readonly Notice[]; nearest: Element | null; onChange: () => void } = {
  notices: [],
  nearest: null,
  onChange: () => undefined,
};
let lastId = 0;

/** Says something in passing, to eyes and ears, where somebody just acted. */
export function notify(text: string, action?: Notice['action']): void {
  lastId += 1;
  said.notices = [...said.notices.slice(-2), { id: lastId, text, place: said.nearest, ...(action && { action }) }];
  said.onChange();
}
