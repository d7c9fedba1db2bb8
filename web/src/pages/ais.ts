import { t } from '@hearth/i18n';
import { type AiName, aiFacts, pill, who } from '../components/ai-name.ts';
import { linkButton } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { scopeList } from '../components/scopes.ts';
import { calendarDay, day } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { around, type Html, html, type Words } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import type { Scope } from '../scope-copy.ts';

export interface OwnAi extends AiName {
  id: string;
  status: 'claimed' | 'vouched' | 'unclaimed';
  scopes: readonly Scope[];
  ownerPrivate: boolean;
  /** Removed permanently. */
  revoked: boolean;
  /** The end of a suspension by the operator. */
  suspendedUntilMs?: number | undefined;
  /** YYYY-MM-DD; undefined if it was never active. */
  lastActive?: string | undefined;
  /** The end of the time in which the AI can undo its claim. */
  undoUntilMs?: number | undefined;
}

/** A program that the person allowed to act for them. */
export interface SignInOfProgram {
  id: string;
  clientName: string;
  /** The host its description came from. */
  clientHost?: string | undefined;
  /** The AI that it acts as. */
  aiName: string;
  scopes: readonly Scope[];
  sinceMs: number;
  /** YYYY-MM-DD */
  lastUsed?: string | undefined;
}

export interface Ais {
  ais: readonly OwnAi[];
  /** Undefined if they could not be loaded. */
  signIns: readonly SignInOfProgram[] | undefined;
  /** The notice about a finished act. */
  done?: Words | undefined;
  /** The address that a program connects to. */
  connectUrl: string;
}

/** Everything that acts for the viewer. Each button leads to the page that changes something. */
export function aisPage(frame: Frame, model: Ais): string {
  const { ais, signIns, done } = model;
  const working = ais.filter(({ revoked }) => !revoked);
  const off = ais.filter(({ revoked }) => revoked);
  const main = html`<h1>${t('ais.title')}</h1>
<p class="lead">${t('ais.lead')}</p>
${done && notice('good', done)}
<section aria-labelledby="my-ais">
<h2 id="my-ais">${t('ais.mine')}</h2>
${working.length === 0 ? noAis(model) : html`<ul class="cards">${working.map(aiCard)}</ul>`}
</section>
<section aria-labelledby="programs">
<h2 id="programs">${t('ais.programs')}</h2>
${signInCards(frame, signIns)}
</section>
${
  off.length > 0 &&
  html`<section aria-labelledby="off">
<h2 id="off">${t('ais.removed')}</h2>
<ul class="cards">${off.map(aiCard)}</ul>
</section>`
}`;
  return page(frame, { title: t('ais.title'), main, here: 'ais' });
}

function noAis({ connectUrl }: Ais): Html {
  return html`<div class="card">
<p>${t('ais.none')}</p>
<ul>
<li>${t('ais.none-connect', { address: html`<strong class="address">${connectUrl}</strong>` })}</li>
<li>${t('ais.none-claim')}</li>
</ul>
</div>`;
}

/** Names the card of a button for screen readers. */
const more = around((inside) => html`<span class="unseen">${inside}</span>`);

function aiCard(ai: OwnAi): Html {
  const { revoked, lastActive } = ai;
  return html`<li class="card">
${who(ai.name, aiFacts(ai), stateOf(ai))}
<dl class="facts">
<div><dt>${t('ais.last-active')}</dt><dd>${lastActive === undefined ? t('ais.not-yet') : calendarDay(lastActive)}</dd></div>
${!revoked && html`<div><dt>${t('ais.permissions')}</dt><dd>${scopeList(ai.scopes)}</dd></div>`}
</dl>
${
  !revoked &&
  html`<div class="actions">
${linkButton(t('ais.change-of', { name: othersText(ai.name), more }), paths.ai(ai.id))}
${linkButton(t('ais.remove-of', { name: othersText(ai.name), more }), paths.switchOffAi(ai.id), 'danger')}
</div>`
}
</li>`;
}

function signInCards(frame: Frame, signIns: Ais['signIns']): Html {
  if (signIns === undefined || signIns.length === 0) {
    const words = signIns === undefined ? t('common.not-shown') : t('ais.programs-none');
    return html`<div class="card"><p class="soft">${words}</p></div>`;
  }
  return html`<ul class="cards">${signIns.map((signIn) => signInCard(frame, signIn))}</ul>`;
}

function signInCard(frame: Frame, signIn: SignInOfProgram): Html {
  const { id, clientName, clientHost, aiName, scopes, sinceMs, lastUsed } = signIn;
  const host =
    clientHost === undefined ? t('ais.no-website') : html`<span class="address">${clientHost}</span>`;
  return html`<li class="card">
${who(clientName, host, pill(t('common.unverified-name'), 'care'))}
<dl class="facts">
<div><dt>${t('ais.acts-as')}</dt><dd>${othersText(aiName)}</dd></div>
<div><dt>${t('ais.permissions')}</dt><dd>${scopeList(scopes)}</dd></div>
<div><dt>${t('ais.since')}</dt><dd>${day(frame, sinceMs)}</dd></div>
<div><dt>${t('ais.last-used')}</dt><dd>${lastUsed === undefined ? t('ais.not-yet') : calendarDay(lastUsed)}</dd></div>
</dl>
<div class="actions">${linkButton(t('ais.sign-out-of', { name: othersText(clientName), more }), paths.endSignIn(id), 'danger')}</div>
</li>`;
}

/** The state of an AI, and whether its owner's name is hidden. */
export function stateOf({ revoked, suspendedUntilMs, ownerPrivate, status }: OwnAi): Html {
  if (revoked) return pill(t('ais.state-removed'), 'off');
  if (suspendedUntilMs !== undefined) return pill(t('ais.state-suspended'), 'care');
  if (status !== 'claimed') return pill(t(`common.sender.${status}`), 'care');
  return html`${pill(t('ais.state-active'), 'good')}${ownerPrivate && html` ${pill(t('ais.owner-hidden'))}`}`;
}
