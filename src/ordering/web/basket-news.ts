/** The live region of the menu, which is there before anything is in the basket: screen readers hear of no younger one. */
export const basketNewsId = 'basket-news';

/** Tells screen readers the dishes that were put into the basket. React renders the region empty, and never again. */
export function tellBasketNews(words: string): void {
  const region = document.getElementById(basketNewsId);
  if (!region) return;
  // The same dish twice is news twice.
  region.replaceChildren();
  setTimeout(() => region.replaceChildren(words), 100);
}
