export function PaymentCallbackPage() {
  return <p>TODO</p>;
}
