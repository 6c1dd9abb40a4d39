/** What a customer's browser is told of an order. `not_ready`: a step was undone. */
export type PushNews =
  | 'accepted'
  | 'promised'
  | 'changed'
  | 'ready'
  | 'on_its_way'
  | 'not_ready'
  | 'rejected'
  | 'cancelled';
