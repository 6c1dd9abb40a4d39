/** What is on sale has no time to come back at. */
export function stockColumns(stock: { is_available: boolean; unavailable_until?: string | null | undefined }) {
  return {
    is_available: stock.is_available,
    unavailable_until: stock.is_available ? null : (stock.unavailable_until ?? null),
  };
}
