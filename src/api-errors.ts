import { accountErrors } from '#accounts/errors.ts';
import { exampleValues } from '#api-examples.ts';
import { orderErrors } from '#ordering/errors.ts';
import { paymentErrors } from '#payment/errors.ts';
import { commonErrors, type ErrorTable } from '#platform/errors.ts';

/** Every error code of the API, in the order of the API description. A domain's new code is added here. */
export const apiErrors = {
  malformed_request: commonErrors.malformed_request,
  unauthenticated: commonErrors.unauthenticated,
  forbidden: commonErrors.forbidden,
  fresh_sign_in_required: commonErrors.fresh_sign_in_required,
  second_factor_required: accountErrors.second_factor_required,
  not_found: commonErrors.not_found,
  method_not_allowed: commonErrors.method_not_allowed,
  request_timeout: commonErrors.request_timeout,
  conflict: commonErrors.conflict,
  illegal_transition: orderErrors.illegal_transition,
  price_changed: { ...orderErrors.price_changed, example: { quote: exampleValues.schemas['Quote'] } },
  changed_meanwhile: commonErrors.changed_meanwhile,
  hold_ended: orderErrors.hold_ended,
  session_reused: orderErrors.session_reused,
  idempotency_conflict: commonErrors.idempotency_conflict,
  already_set_up: accountErrors.already_set_up,
  payload_too_large: commonErrors.payload_too_large,
  unsupported_media_type: commonErrors.unsupported_media_type,
  invalid: commonErrors.invalid,
  order_refused: orderErrors.order_refused,
  invalid_signature: paymentErrors.invalid_signature,
  too_many_orders: orderErrors.too_many_orders,
  too_many_requests: commonErrors.too_many_requests,
  internal: commonErrors.internal,
  payment_unavailable: orderErrors.payment_unavailable,
  unavailable: commonErrors.unavailable,
} as const satisfies ErrorTable;

/** JSON schemas of the members that only some error bodies have, in the order of the API description. */
export const errorMembers = {
  ...accountErrors.second_factor_required.members,
  ...orderErrors.illegal_transition.members,
  ...orderErrors.order_refused.members,
  ...commonErrors.changed_meanwhile.members,
  ...orderErrors.price_changed.members,
};
