/** A line of an order at 20 % VAT; `unitPrice` in minor units. Its dish has the line's id. */
export const orderLine = (id: string, name: string, quantity: number, unitPrice: number) => ({
  id,
  item_id: id,
  name,
  kitchen_name: null,
  quantity,
  unit_price: unitPrice,
  options: [],
  note: '',
  vat_rate: 2000,
  allergens: null,
  total: unitPrice * quantity,
});
