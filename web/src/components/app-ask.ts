import { t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { around, type Html, html } from '../html.ts';
import { othersText } from '../others-text.ts';
import { who } from './ai-name.ts';
import { button, form } from './form.ts';
import { day } from './time.ts';

/** An app's request to act for an account. */
export interface AppAsk {
  /** uuid */
  app: string;
  name: string;
  askedAtMs: number;
}

export interface AskedAccount {
  ask: AppAsk;
  /** The form's action. */
  action: string;
  /** The name of the child whose account it is; undefined for the viewer's own. */
  child?: string | undefined;
  /** The name of the app that currently acts for the account. */
  heldBy?: string | undefined;
}

/** An app's request, with the buttons that accept and decline it. Form: `answer` (accept, decline) to `action`. */
export function appAskCard(frame: Frame, { ask, action, child, heldBy }: AskedAccount): Html {
  const of =
    child === undefined
      ? { child: 'none' as const, name: '' }
      : { child: 'other' as const, name: othersText(child) };
  const more = around((inside) => html`<span class="unseen">${inside}</span>`);
  const app = othersText(ask.name);
  return html`<li class="card">
${who(ask.name, t('app-ask.asked', { day: day(frame, ask.askedAtMs) }))}
<p>${t('app-ask.hold', of)}</p>
${heldBy !== undefined && html`<p>${t('app-ask.replaces', { ...of, app: othersText(heldBy) })}</p>`}
${form(
  frame,
  { action },
  html`<div class="actions even">
${button(t('app-ask.accept', { app, more }), { name: 'answer', value: 'accept' })}
${button(t('app-ask.decline', { app, more }), { kind: 'plain', name: 'answer', value: 'decline' })}
</div>`,
)}
</li>`;
}
