let category: string | null =
  typeof location === 'undefined' ? null : new URLSearchParams(location.search).get('category');

/**
 * The category in the page's address; null: none. On a large menu its dishes are rendered first, those of other
 * categories later.
 */
export function categoryIdInUrl(): string | null {
  return category;
}

/** Sets the category before the server renders a page. One variable suffices, because rendering is synchronous. */
export function setRenderedCategoryId(id: string | null): void {
  category = id;
}
