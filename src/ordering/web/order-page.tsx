export function OrderPage() {
  return <p>TODO</p>;
}
