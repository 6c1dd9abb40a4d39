import { createHash } from 'node:crypto';
import { m } from '#messages';
import type { ProviderState } from '#payment/payment-state.ts';
import { type SandboxRefusal, sandboxRefusals } from '#payment/server/sandbox/refunds.ts';
import {
  webhookDeliveryModes,
  type WebhookDeliveryMode,
  type SandboxOutcome,
  sandboxOutcomes,
  type SandboxPayment,
} from '#payment/server/sandbox/sandbox.ts';
import { currentLanguage } from '#platform/language.ts';
import { formatMoney } from '#platform/money.ts';
import { keysOf } from '#platform/keys-of.ts';

/** The styles of the sandbox's page, which deliberately look like another company's. */
const stylesheet = `
:root { color-scheme: light dark; --page: #eef1f6; --card: #fff; --ink: #16202e; --soft: #55637a; --line: #d4dbe6;
  --brand: #1c4fd6; --brand-ink: #fff; --bad: #a3172d; --test: #ffd23f; --test-ink: #2b2100; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d131c; --card: #172130; --ink: #eef3fa; --soft: #aab7ca; --line: #33425a;
    --brand: #8fb1ff; --brand-ink: #061536; --bad: #ff9dab; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; }
.banner { margin: 0; padding: 0.75rem 1rem; text-align: center; color: var(--test-ink); background: var(--test);
  border-bottom: 0.375rem solid; border-image: repeating-linear-gradient(135deg, #2b2100 0 0.75rem, #ffd23f 0.75rem 1.5rem) 6; }
.banner strong { text-transform: uppercase; letter-spacing: 0.08em; margin-right: 0.5em; }
main { width: calc(100% - 1.5rem); max-width: 27rem; margin: clamp(1rem, 5vh, 3.5rem) auto; padding: clamp(1.25rem, 5vw, 2rem); background: var(--card);
  border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 12px 40px rgb(10 25 60 / 10%); }
h1 { margin: 0 0 1rem; font-size: 1.25rem; line-height: 1.3; overflow-wrap: anywhere; }
dl { margin: 0 0 1.5rem; }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.625rem 0; border-top: 1px solid var(--line); }
dl div.total { border-top: 0; padding-top: 0; align-items: baseline; }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; font-weight: 600; overflow-wrap: anywhere; }
.total dd { font-size: 2rem; line-height: 1.2; font-variant-numeric: tabular-nums; letter-spacing: -0.02em; }
.buttons { display: grid; gap: 0.625rem; }
.button { display: block; width: 100%; min-height: 3rem; padding: 0.625rem 1rem; border: 1px solid var(--line); border-radius: 0.625rem;
  background: transparent; color: var(--ink); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
.button:hover { border-color: currentcolor; }
.approve { background: var(--brand); border-color: var(--brand); color: var(--brand-ink); }
.decline { color: var(--bad); }
.walk_away { color: var(--soft); }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
fieldset { margin: 0 0 1.5rem; padding: 0.25rem 1rem 0.5rem; border: 1px dashed var(--line); border-radius: 0.625rem; min-width: 0; }
legend { padding: 0 0.375rem; font-weight: 600; }
.hint { margin: 0 0 0.25rem; color: var(--soft); font-size: 0.875rem; }
label { display: flex; align-items: center; gap: 0.5rem; line-height: 1.25; min-height: 2.75rem; cursor: pointer; }
.choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); column-gap: 0.75rem; }
input { width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--brand); flex: none; }
.result { margin: 0 0 1.25rem; padding: 0.75rem 1rem; border-radius: 0.625rem; background: var(--page); }
`;

/**
 * The content security policy of the sandbox's page, which needs no script and loads nothing. `form-action` also
 * applies to the redirect after the form, so the policy allows the origin of `return_url`.
 */
export function sandboxPagePolicy({ return_url }: Pick<SandboxPayment, 'return_url'>): string {
  const back = return_url.startsWith('/') ? '' : ` ${new URL(return_url).origin}`;
  return `default-src 'none'; img-src data:; style-src 'sha256-${styleHash}'; form-action 'self'${back}; frame-ancestors 'none'; base-uri 'none'`;
}

/** The sandbox's hosted page: the payment to approve or, once the payer decided, the result and the link back. */
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
${webhookDeliveryModes.map((delivery, index) => radio('delivery', delivery, index)).join('\n')}
</div>
</fieldset>
<fieldset>
<legend>${text(m.payment_sandbox_later())}</legend>
<div class="choices">
${(['nothing', ...sandboxRefusals] as const).map((refuses, index) => radio('refuses', refuses, index)).join('\n')}
</div>
</fieldset>
<div class="buttons">
${keysOf(sandboxOutcomes).map(button).join('\n')}
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

const labels: Record<SandboxOutcome | WebhookDeliveryMode | SandboxRefusal | 'nothing', () => string> = {
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

function button(outcome: SandboxOutcome): string {
  return `<button class="button ${outcome}" name="outcome" value="${outcome}">${text(labels[outcome]())}</button>`;
}

function radio(name: string, value: keyof typeof labels, index: number): string {
  const checked = index === 0 ? ' checked' : '';
  return `<label><input type="radio" name="${name}" value="${value}"${checked}> ${text(labels[value]())}</label>`;
}

function text(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const styleHash = createHash('sha256').update(stylesheet).digest('base64');
