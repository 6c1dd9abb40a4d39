export function CustomerOrdersPage() {
  return <p>TODO</p>;
}
