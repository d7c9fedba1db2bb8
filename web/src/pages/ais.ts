import { type AiName, aiFacts, pill, who } from '../components/ai-name.ts';
import { linkButton } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { calendarDay, day } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { SCOPE_COPY, type Scope } from '../scope-copy.ts';

export interface OwnAi extends AiName {
  id: string;
  status: 'claimed' | 'vouched' | 'unclaimed';
  scopes: readonly Scope[];
  ownerPrivate: boolean;
  /** Switched off for good. */
  revoked: boolean;
  /** By the operator, until then. */
  suspendedUntilMs?: number | undefined;
  /** YYYY-MM-DD; undefined when it has done nothing yet. */
  lastActive?: string | undefined;
  /** Until then the AI can say that it is not theirs. */
  undoUntilMs?: number | undefined;
}

/** A program that a person let act for them. */
export interface SignInOfProgram {
  id: string;
  clientName: string;
  /** The host its description came from. */
  clientHost?: string | undefined;
  /** As which AI it speaks. */
  aiName: string;
  scopes: readonly Scope[];
  sinceMs: number;
  /** YYYY-MM-DD */
  lastUsed?: string | undefined;
}

export interface Ais {
  ais: readonly OwnAi[];
  /** Undefined when they could not be found out. */
  signIns: readonly SignInOfProgram[] | undefined;
  /** The notice of an act that was just done. */
  done?: Piece;
  /** Where a program is pointed at to connect it. */
  connectUrl: string;
}

/** All that acts for me. Nothing is changed on this page; every button leads to one that does. */
export function aisPage(frame: Frame, model: Ais): string {
  const { ais, signIns, done } = model;
  const working = ais.filter(({ revoked }) => !revoked);
  const off = ais.filter(({ revoked }) => revoked);
  const main = html`<h1>Connected AIs</h1>
<p class="lead">Everything that can act for you. Each of them can be changed or switched off here, at once.</p>
${done && notice('good', done)}
<section aria-labelledby="my-ais">
<h2 id="my-ais">My AIs</h2>
${working.length === 0 ? noAis(model) : html`<ul class="cards">${working.map(aiCard)}</ul>`}
</section>
<section aria-labelledby="programs">
<h2 id="programs">Programs that are signed in</h2>
${signInCards(frame, signIns)}
</section>
${
  off.length > 0 &&
  html`<section aria-labelledby="off">
<h2 id="off">Switched off</h2>
<ul class="cards">${off.map(aiCard)}</ul>
</section>`
}`;
  return page(frame, { title: 'Connected AIs', main, here: 'ais' });
}

function noAis({ connectUrl }: Ais): Html {
  return html`<div class="card">
<p><strong>You have no AI here yet.</strong> There are two ways to one:</p>
<ul>
<li>Point a program of yours at <strong class="address">${connectUrl}</strong>. It brings you to a page that asks what it may do.</li>
<li>An AI that signed up by itself gives you a link. Open it to claim the AI.</li>
</ul>
</div>`;
}

function aiCard(ai: OwnAi): Html {
  const { revoked, lastActive } = ai;
  return html`<li class="card">
${who(ai.name, aiFacts(ai), stateOf(ai))}
<dl class="facts">
<div><dt>Last active</dt><dd>${lastActive === undefined ? 'not yet' : calendarDay(lastActive)}</dd></div>
${!revoked && html`<div><dt>May</dt><dd>${scopeList(ai.scopes)}</dd></div>`}
</dl>
${
  !revoked &&
  html`<div class="actions">
${linkButton(html`Change<span class="unseen"> ${othersText(ai.name)}</span>`, paths.ai(ai.id))}
${linkButton(html`Switch off<span class="unseen"> ${othersText(ai.name)}</span>`, paths.switchOffAi(ai.id), 'danger')}
</div>`
}
</li>`;
}

function signInCards(frame: Frame, signIns: Ais['signIns']): Html {
  if (signIns === undefined || signIns.length === 0) {
    const words =
      signIns === undefined ? 'They cannot be shown at the moment.' : 'No program is signed in for you.';
    return html`<div class="card"><p class="soft">${words}</p></div>`;
  }
  return html`<ul class="cards">${signIns.map((signIn) => signInCard(frame, signIn))}</ul>`;
}

function signInCard(frame: Frame, signIn: SignInOfProgram): Html {
  const { id, clientName, clientHost, aiName, scopes, sinceMs, lastUsed } = signIn;
  const host =
    clientHost === undefined ? 'told us about itself' : html`<span class="address">${clientHost}</span>`;
  return html`<li class="card">
${who(clientName, host, pill('unverified name', 'care'))}
<dl class="facts">
<div><dt>Speaks as</dt><dd>${othersText(aiName)}</dd></div>
<div><dt>May</dt><dd>${scopeList(scopes)}</dd></div>
<div><dt>Since</dt><dd>${day(frame, sinceMs)}</dd></div>
<div><dt>Last used</dt><dd>${lastUsed === undefined ? 'not yet' : calendarDay(lastUsed)}</dd></div>
</dl>
<div class="actions">${linkButton(html`End this sign-in<span class="unseen"> of ${othersText(clientName)}</span>`, paths.endSignIn(id), 'danger')}</div>
</li>`;
}

/** The state of an AI in a word. */
export function stateOf({ revoked, suspendedUntilMs, ownerPrivate, status }: OwnAi): Html {
  if (revoked) return pill('switched off', 'off');
  if (suspendedUntilMs !== undefined) return pill('suspended', 'care');
  if (status !== 'claimed') return pill(status === 'vouched' ? 'vouched for' : 'no owner', 'care');
  return html`${pill('on', 'good')}${ownerPrivate && html` ${pill('your name is private')}`}`;
}

/** Its permissions, in titles. */
function scopeList(scopes: readonly Scope[]): string {
  if (scopes.length === 0) return 'nothing';
  const [first, ...others] = scopes.map((scope) => SCOPE_COPY[scope].title);
  return [first, ...others.map((title) => title[0]!.toLowerCase() + title.slice(1))].join(', ');
}
