import type Stripe from 'stripe';
import { invalid } from '../api/failure.ts';
import type { Books, World } from '../world.ts';
import { seconds } from '../world.ts';

/** An account of a British company that can do everything. */
export function newAccount(world: World, id: string): Stripe.Account {
  const nothingDue = {
    alternatives: [],
    current_deadline: null,
    currently_due: [],
    disabled_reason: null,
    errors: [],
    eventually_due: [],
    past_due: [],
    pending_verification: [],
  };
  const noImages = { icon: null, logo: null, primary_color: null, secondary_color: null };
  const noAddress = { city: null, country: 'GB', line1: null, line2: null, postal_code: null, state: null };
  return {
    id,
    object: 'account',
    business_profile: {
      annual_revenue: null,
      estimated_worker_count: null,
      mcc: '5812',
      minority_owned_business_designation: null,
      name: 'Local takeaway',
      product_description: null,
      specified_commercial_transactions_act_url: null,
      support_address: noAddress,
      support_email: null,
      support_phone: null,
      support_url: null,
      url: null,
    },
    business_type: 'company',
    capabilities: {
      card_payments: 'active',
      link_payments: 'active',
      pay_by_bank_payments: 'active',
      transfers: 'active',
    },
    charges_enabled: true,
    controller: { type: 'account' },
    country: 'GB',
    created: seconds(world),
    default_currency: 'gbp',
    details_submitted: true,
    email: 'owner@example.com',
    external_accounts: { object: 'list', data: [], has_more: false, url: `/v1/accounts/${id}/external_accounts` },
    future_requirements: structuredClone(nothingDue),
    metadata: {},
    payouts_enabled: true,
    requirements: structuredClone(nothingDue),
    settings: {
      bacs_debit_payments: { display_name: null, service_user_number: null },
      branding: noImages,
      card_issuing: { tos_acceptance: { date: null, ip: null } },
      card_payments: {
        decline_on: { avs_failure: false, cvc_failure: true },
        statement_descriptor_prefix: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      dashboard: { display_name: 'Local takeaway', timezone: 'Europe/London' },
      invoices: { default_account_tax_ids: null, hosted_payment_method_save: null },
      payments: {
        statement_descriptor: 'HATCH',
        statement_descriptor_kana: null,
        statement_descriptor_kanji: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      payouts: {
        debit_negative_balances: true,
        schedule: { delay_days: 3, interval: 'daily' },
        statement_descriptor: null,
      },
      sepa_debit_payments: {},
    },
    tos_acceptance: { date: seconds(world), ip: null, user_agent: null },
    type: 'standard',
  };
}

/** Throws 400 for real money while the account is not activated. Test payments need no activation. */
export function checkIsActivated({ account, livemode }: Books): void {
  if (!livemode || account.charges_enabled) return;
  throw invalid(
    'Your account cannot currently make live charges. Visit https://dashboard.stripe.com/account to complete it.',
    { code: 'account_invalid' },
  );
}
