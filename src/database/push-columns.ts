/** The news of an order that a customer's browser gets. `not_ready`: a step was undone. */
export type PushNews =
  | 'accepted'
  | 'promised'
  | 'changed'
  | 'ready'
  | 'on_its_way'
  | 'not_ready'
  | 'rejected'
  | 'cancelled';
