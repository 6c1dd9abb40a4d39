import { createHash } from 'node:crypto';
import { m } from '#messages';
import type { ProviderState } from '#payment/payment-state.ts';
import { stylesheet } from '#payment/server/sandbox/page-style.ts';
import { sandboxRefusals, type SandboxRefusal } from '#payment/server/sandbox/refusal.ts';
import {
  deliveries,
  outcomes,
  type Delivery,
  type Outcome,
  type SandboxPayment,
} from '#payment/server/sandbox/sandbox.ts';
import { currentLanguage } from '#platform/language.ts';
import { formatMoney } from '#platform/money.ts';
import { keysOf } from '#platform/keys-of.ts';

/**
 * The page needs no script and loads nothing. A form's redirect counts as its target, so the policy names the way back.
 */
export function pagePolicy({ return_url }: Pick<SandboxPayment, 'return_url'>): string {
  const back = return_url.startsWith('/') ? '' : ` ${new URL(return_url).origin}`;
  return `default-src 'none'; img-src data:; style-src 'sha256-${styleHash}'; form-action 'self'${back}; frame-ancestors 'none'; base-uri 'none'`;
}

/** The sandbox's hosted page: the payment to approve, or, once decided, the result and the way back. */
export function renderSandboxPage(payment: SandboxPayment): string {
  const shop = payment.merchant_name;
  return `<!doctype html>
<html lang="${currentLanguage()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${text(m.payment_sandbox_title({ shop }))}</title>
<link rel="icon" href="data:,">
<style>${stylesheet}</style>
</head>
<body>
<header class="banner"><strong>${text(m.payment_sandbox_banner())}</strong> ${text(m.payment_sandbox_banner_text())}</header>
<main>
${payment.state === 'open' ? openBody(payment) : closedBody(payment, payment.state)}
</main>
</body>
</html>
`;
}

function openBody(payment: SandboxPayment): string {
  return `${summary(payment, m.payment_sandbox_pay_to({ shop: payment.merchant_name }))}
<form method="post">
<fieldset aria-describedby="webhook-hint">
<legend>${text(m.payment_sandbox_webhook())}</legend>
<p class="hint" id="webhook-hint">${text(m.payment_sandbox_webhook_hint())}</p>
<div class="choices">
${deliveries.map((delivery, index) => radio('delivery', delivery, index)).join('\n')}
</div>
</fieldset>
<fieldset>
<legend>${text(m.payment_sandbox_later())}</legend>
<div class="choices">
${(['nothing', ...sandboxRefusals] as const).map((refuses, index) => radio('refuses', refuses, index)).join('\n')}
</div>
</fieldset>
<div class="buttons">
${keysOf(outcomes).map(button).join('\n')}
</div>
</form>`;
}

function closedBody(payment: SandboxPayment, state: Exclude<ProviderState, 'open'>): string {
  return `${summary(payment, m.payment_sandbox_done_title())}
<p class="result" role="status">${text(results[state]())}</p>
<a class="button approve" href="${text(payment.return_url)}">${text(m.payment_sandbox_return({ shop: payment.merchant_name }))}</a>`;
}

function summary(payment: SandboxPayment, title: string): string {
  return `<h1>${text(title)}</h1>
<dl>
<div class="total"><dt>${text(m.payment_sandbox_amount())}</dt><dd>${text(formatMoney(payment.amount, payment.currency))}</dd></div>
<div><dt>${text(m.payment_sandbox_for())}</dt><dd>${text(payment.description)}</dd></div>
<div><dt>${text(m.payment_sandbox_card())}</dt><dd>${text(m.payment_sandbox_card_number())}</dd></div>
</dl>`;
}

const labels: Record<Outcome | Delivery | SandboxRefusal | 'nothing', () => string> = {
  approve: m.payment_sandbox_approve,
  decline: m.payment_sandbox_decline,
  walk_away: m.payment_sandbox_walk_away,
  at_once: m.payment_sandbox_at_once,
  late: m.payment_sandbox_late,
  twice: m.payment_sandbox_twice,
  never: m.payment_sandbox_never,
  nothing: m.payment_sandbox_later_nothing,
  capture: m.payment_sandbox_later_capture,
  refund: m.payment_sandbox_later_refund,
};

const results: Record<Exclude<ProviderState, 'open'>, () => string> = {
  authorised: m.payment_sandbox_done_authorised,
  declined: m.payment_sandbox_done_declined,
  abandoned: m.payment_sandbox_done_abandoned,
  captured: m.payment_sandbox_done_captured,
  voided: m.payment_sandbox_done_voided,
  refunded: m.payment_sandbox_done_refunded,
};

function button(outcome: Outcome): string {
  return `<button class="button ${outcome}" name="outcome" value="${outcome}">${text(labels[outcome]())}</button>`;
}

function radio(name: string, value: keyof typeof labels, index: number): string {
  const checked = index === 0 ? ' checked' : '';
  return `<label><input type="radio" name="${name}" value="${value}"${checked}> ${text(labels[value]())}</label>`;
}

/** Safe between tags and inside double quotes. */
function text(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const styleHash = createHash('sha256').update(stylesheet).digest('base64');
