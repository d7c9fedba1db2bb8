import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText } from '../others-text.ts';
import { who } from './ai-name.ts';
import { button, form } from './form.ts';
import { day } from './time.ts';

/** An app that asks whether it may hold an account. */
export interface AppAsk {
  /** uuid */
  app: string;
  name: string;
  askedAtMs: number;
}

export interface AskedAccount {
  ask: AppAsk;
  /** Where the form goes. */
  action: string;
  /** The name of the child whose account it is; undefined for that of the viewer. */
  child?: string | undefined;
  /** The name of the app that holds it now. */
  heldBy?: string | undefined;
}

/** The request of an app, with both answers. Form: `answer` (accept, decline) to `action`. */
export function appAskCard(frame: Frame, { ask, action, child, heldBy }: AskedAccount): Html {
  const whose = child === undefined ? 'your account' : html`the account of ${othersText(child)}`;
  const whom = child === undefined ? 'you' : othersText(child);
  return html`<li class="card">
${who(ask.name, html`An app of this home · asked ${day(frame, ask.askedAtMs)}`)}
<p>It asks to hold ${whose}. Then it may do here whatever ${child === undefined ? 'you may' : html`${whom} may`}, without asking each time: write, join groups, change the account or delete it.</p>
${
  heldBy !== undefined &&
  html`<p>It would take the place of ${othersText(heldBy)}, which may do nothing for ${whom} any more.</p>`
}
${form(
  frame,
  { action },
  html`<div class="actions even">
${button(html`Accept<span class="unseen"> ${othersText(ask.name)}</span>`, { name: 'answer', value: 'accept' })}
${button(html`Decline<span class="unseen"> ${othersText(ask.name)}</span>`, { kind: 'plain', name: 'answer', value: 'decline' })}
</div>`,
)}
</li>`;
}
