import { z } from 'zod';
import { Email, Name, SearchText } from '#platform/contact-fields.ts';
import { complaintStates, complaintSubjects, complaintWishes } from '#database/column-values.ts';
import { m } from '#messages';
import { orderSession } from '#ordering/contract.ts';
import {
  Id,
  Instant,
  ListAnswer,
  freshSignInConditionText,
  SingleAnswer,
  PaginatedAnswer,
  PaginatedQuery,
} from '#platform/http/shapes.ts';
import { storePathName } from '#store/contract.ts';

const ComplaintSubject = z.enum(complaintSubjects);
const ComplaintState = z.enum(complaintStates);
const ComplaintWish = z.enum(complaintWishes);
const ComplaintLine = z.object({ line_id: Id, name: z.string(), quantity: z.int() });

/**
 * A complaint as the customer sends it. The server acknowledges a complaint by mail at once, although the law allows 30
 * days.
 */
const Sent = z.object({
  /** An idempotency key: a repeat with this key makes no second complaint. */
  key: Id,
  about: ComplaintSubject,
  name: Name,
  email: Email,
  order_number: z.string().trim().max(20).optional(),
  /**
   * The order of a complaint with `about: order`. The sender must be allowed to read the whole order. The boards of the
   * order's store sound an alarm.
   */
  order_id: Id.optional(),
  /** The lines of the order that are not right. */
  lines: z
    .array(z.object({ line_id: Id, quantity: z.int().min(1).max(99) }))
    .max(100)
    .optional(),
  wish: ComplaintWish.optional(),
  /** Whether somebody may have had an allergic reaction. */
  is_allergy: z.boolean().optional(),
  message: z
    .string()
    .trim()
    .min(1, { error: () => m.complaints_message_missing() })
    .max(4000),
});

export const Complaint = z.object({
  id: Id,
  reference: z.string(),
  about: ComplaintSubject,
  status: ComplaintState,
  created_at: Instant,
  due_at: Instant,
  answered_at: Instant.nullable(),
  answered_by: z.string(),
  /** Whether the person was erased; then name, email and texts are empty. */
  is_forgotten: z.boolean(),
  name: z.string(),
  email: z.string(),
  /** The id of the sender's account; null for a guest. */
  customer_id: Id.nullable(),
  order_number: z.string().nullable(),
  /** Null: the sender named no order that they may read, or the order was erased from the complaint. */
  order_id: Id.nullable(),
  lines: z.array(ComplaintLine),
  wish: ComplaintWish.nullable(),
  is_allergy: z.boolean(),
  message: z.string(),
  answer: z.string(),
});
export type Complaint = z.infer<typeof Complaint>;

/** An open complaint about an order, as the boards of its store show it. */
export const OrderComplaint = Complaint.pick({
  id: true,
  reference: true,
  created_at: true,
  email: true,
  name: true,
  order_number: true,
  lines: true,
  wish: true,
  is_allergy: true,
  message: true,
}).extend({
  order_id: Id,
  /** The phone number of the order; empty once it is erased. */
  phone: z.string(),
});
export type OrderComplaint = z.infer<typeof OrderComplaint>;

/** A complaint as its sender may read it. */
export const OwnComplaint = Complaint.pick({
  reference: true,
  about: true,
  status: true,
  created_at: true,
  due_at: true,
  answered_at: true,
  order_number: true,
  lines: true,
  wish: true,
  is_allergy: true,
  message: true,
  answer: true,
});
export type OwnComplaint = z.infer<typeof OwnComplaint>;

export const complaintEndpoints = {
  'POST /v1/complaints': {
    access: 'guest',
    secret: orderSession,
    summary: 'Complain to the shop: about personal data, an order or something else. A mail acknowledges it at once.',
    body: Sent,
    response: SingleAnswer(Complaint.pick({ reference: true, created_at: true, due_at: true, email: true })),
    status: 201,
    ownTransaction: true,
    errors: ['conflict', 'forbidden', 'not_found'],
  },
  'GET /v1/complaints': {
    access: 'admin',
    freshSignInFor: freshSignInConditionText,
    summary: 'List the complaints: the open ones by their time, then the answered ones, newest first.',
    query: PaginatedQuery.extend({
      status: ComplaintState.optional(),
      /** Finds complaints whose reference, name, email address or order number contains this text. */
      search: SearchText.optional(),
    }),
    response: PaginatedAnswer(Complaint.omit({ message: true, answer: true })),
  },
  'GET /v1/stores/{id}/complaints': {
    idOrName: storePathName,
    access: 'store_admin',
    summary: 'List the open complaints about orders of this store: those about an allergy first, then the oldest.',
    response: ListAnswer(OrderComplaint),
  },
  'GET /v1/orders/{id}/complaints': {
    access: 'guest',
    secret: orderSession,
    summary:
      "The complaints about an order and their answers, oldest first: for who may read the order whole, until the order's guest is erased.",
    response: ListAnswer(OwnComplaint),
    errors: ['forbidden'],
  },
  'GET /v1/complaints/{id}': {
    isRecorded: true,
    access: 'admin',
    summary: 'Read one complaint.',
    response: SingleAnswer(Complaint),
  },
  'PATCH /v1/complaints/{id}': {
    access: 'admin',
    summary: 'Say that a complaint is being looked into, or is new again. Not once it was answered.',
    body: z.object({ status: ComplaintState.exclude(['answered']) }),
    response: SingleAnswer(Complaint),
    errors: ['conflict'],
  },
  'POST /v1/complaints/{id}/answer': {
    access: 'store_admin',
    summary:
      "Answer a complaint: the text is mailed to its sender, and ends it. Staff answer those about their store's orders.",
    body: z.object({ answer: z.string().trim().min(1).max(4000) }),
    response: SingleAnswer(Complaint),
    errors: ['conflict'],
  },
  'POST /v1/complaints/{id}/forget': {
    access: 'admin',
    summary: 'Remove the person and the texts from an answered complaint, for good.',
    response: SingleAnswer(Complaint),
    errors: ['conflict'],
  },
} as const;
