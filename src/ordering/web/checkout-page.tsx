export function CheckoutPage() {
  return <p>TODO</p>;
}
