let category: string | null =
  typeof location === 'undefined' ? null : new URLSearchParams(location.search).get('category');

/** The category in the page's address, whose dishes are rendered at once on a large menu; null: none. */
export function addressCategory(): string | null {
  return category;
}

/** Sets the category before the server renders a page. One variable suffices, because rendering is synchronous. */
export function setAddressCategory(id: string | null): void {
  category = id;
}
