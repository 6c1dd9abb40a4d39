import type { Selectable } from 'kysely';
import type { PaymentDisputesTable, PaymentPayoutsTable } from '#database/schema.ts';

export type PayoutRow = Selectable<PaymentPayoutsTable>;
export type DisputeRow = Selectable<PaymentDisputesTable>;
