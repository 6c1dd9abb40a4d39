import { bankEntryKinds, disputeStatuses, payoutStatuses } from '#database/column-values.ts';
import { z } from 'zod';

export const BankEntryKind = z.enum(bankEntryKinds);
export type BankEntryKind = z.infer<typeof BankEntryKind>;

export const PayoutStatus = z.enum(payoutStatuses);
export type PayoutStatus = z.infer<typeof PayoutStatus>;

export const DisputeStatus = z.enum(disputeStatuses);
export type DisputeStatus = z.infer<typeof DisputeStatus>;
