import { commonsQuery } from '../commons.ts';
import { activityList, type Did } from '../components/activity.ts';
import { type AiName, aiFacts, who } from '../components/ai-name.ts';
import { type Errors, field } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { errorSummary, hasErrors, notice } from '../components/notice.ts';
import { ownerPrivateTick } from '../components/owner-private.ts';
import { scopeTicks } from '../components/scopes.ts';
import { calendarDay, day, moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { type Scope, scopes } from '../scope-copy.ts';
import { type OwnAi, type SignInOfProgram, stateOf } from './ais.ts';

export interface KeyOfAi {
  /** Its first characters. */
  prefix: string;
  madeAtMs: number;
  /** YYYY-MM-DD */
  lastUsed?: string | undefined;
  /** Works until then, because a new one took its place. */
  endsAtMs?: number | undefined;
}

export interface Ai {
  ai: OwnAi;
  /** Newest first. */
  keys: readonly KeyOfAi[];
  /** Its last acts, newest first; undefined when they could not be found out. */
  did: readonly Did[] | undefined;
  values?: { name: string; scopes: readonly Scope[]; ownerPrivate: boolean };
  errors?: Errors<'name' | 'scope'>;
  /** The notice of an act that was just done. */
  done?: Piece;
  /** The Commons is open to all, its posts there too. */
  commons?: boolean;
  /** Where one signs in once more: ticking `approve` needs a sign-in that is fresh, and this one is not. */
  approveNeedsSignIn?: string | undefined;
}

/**
 * One AI of mine. Forms: `name`, `scope` for each tick, `private` (yes or nothing) to paths.ai(id); `reason`
 * (routine, leaked) to paths.aiKey(id). Switching off is asked about on a page of its own.
 */
export function aiPage(frame: Frame, model: Ai): string {
  const { ai, did, errors = {}, done, commons } = model;
  const main = html`<p class="back"><a href="${paths.ais}">Connected AIs</a></p>
<h1>${othersText(ai.name)}</h1>
${errorSummary(errors)}
${done && notice('good', done)}
${stateNotice(frame, ai)}
<div class="card">
${who(ai.name, aiFacts(ai), stateOf(ai))}
<dl class="facts"><div><dt>Last active</dt><dd>${ai.lastActive === undefined ? 'not yet' : calendarDay(ai.lastActive)}</dd></div></dl>
</div>
${!ai.revoked && settings(frame, model)}
<section class="card" aria-labelledby="did">
<h2 id="did">What it did last</h2>
${activityList(frame, did, 'Nothing yet.')}
${commons === true && html`<p><a class="quiet-link" href="${paths.commons}${commonsQuery({ by: ai.address })}">What it posted in the Commons</a></p>`}
</section>
${!ai.revoked && html`${keySection(frame, model)}${offSection(ai)}`}`;
  return page(frame, { title: 'One of my AIs', main, here: 'ais', hasErrors: hasErrors(errors) });
}

function stateNotice(frame: Frame, { revoked, suspendedUntilMs, undoUntilMs }: OwnAi): Html | false {
  if (revoked)
    return notice('info', 'It is switched off for good', 'Its keys and sign-ins do not work any more.');
  if (suspendedUntilMs !== undefined) {
    return notice(
      'care',
      html`The operator of this home suspended it until ${moment(frame, suspendedUntilMs)}`,
    );
  }
  if (undoUntilMs === undefined) return false;
  return notice('info', html`Until ${moment(frame, undoUntilMs)} it can say that you are not its person`);
}

function settings(frame: Frame, { ai, values = ai, errors = {}, approveNeedsSignIn }: Ai): Html {
  return html`<section class="card" aria-labelledby="settings">
<h2 id="settings">What it is called and may do</h2>
${form(
  frame,
  { action: paths.ai(ai.id) },
  html`${field({
    name: 'name',
    label: 'Name',
    value: values.name,
    autocomplete: 'off',
    maxLength: 40,
    literal: true,
    hint: 'A new name changes its address. The old address leads to it for 90 days.',
    error: errors.name,
  })}
${scopeTicks({ legend: 'What may it do for you?', offered: scopes, ticked: values.scopes, error: errors.scope })}
${approveNeedsSignIn !== undefined && notice('info', 'Sign in once more before you allow approving', html`That needs a sign-in of the last ten minutes. <a href="${approveNeedsSignIn}">Sign in once more</a>`)}
${ownerPrivateTick(values.ownerPrivate)}
<div class="actions">${button('Save')}</div>`,
)}
</section>`;
}

function keySection(frame: Frame, { ai, keys }: Ai): Html {
  return html`<section class="card" aria-labelledby="keys">
<h2 id="keys">Its key</h2>
${keys.length === 0 && html`<p class="soft">It has no key: it acts through programs that are signed in.</p>`}
${
  keys.length > 0 &&
  html`<ul class="log">${keys.map(
    ({ prefix, madeAtMs, lastUsed, endsAtMs }) => html`<li>
<span class="log-words"><code>${prefix}…</code>, made ${day(frame, madeAtMs)}${endsAtMs !== undefined && html`, works until ${moment(frame, endsAtMs)}`}</span>
<span class="log-time">${lastUsed === undefined ? 'not used yet' : html`last used ${calendarDay(lastUsed)}`}</span>
</li>`,
  )}</ul>`
}
${keys.length > 0 && html`<p>A new key takes the place of the old one, which works for another hour. If another person has seen the old one, end it at once.</p>`}
<div class="actions">
${form(
  frame,
  { action: paths.aiKey(ai.id), carried: { reason: 'routine' } },
  button(keys.length > 0 ? 'Make a new key' : 'Make a key', { kind: 'plain' }),
)}
${
  keys.length > 0 &&
  form(
    frame,
    { action: paths.aiKey(ai.id), carried: { reason: 'leaked' } },
    button('New key, and end the old one now', { kind: 'danger' }),
  )
}
</div>
</section>`;
}

function offSection({ id }: OwnAi): Html {
  return html`<section class="card" aria-labelledby="switch-off">
<h2 id="switch-off">Switch it off</h2>
<p>It stops at once and for good.</p>
<div class="actions">${linkButton('Switch it off', paths.switchOffAi(id), 'danger')}</div>
</section>`;
}

export interface NewKey {
  ai: AiName & { id: string };
  /** Shown this once. */
  key: string;
  /** For how long the old one still works, in minutes. */
  oldKeyMinutes: number;
}

export function newKeyPage(frame: Frame, { ai, key, oldKeyMinutes }: NewKey): string {
  const main = html`<h1>The new key</h1>
${notice(
  'care',
  'Copy it now: it is shown this once',
  'Whoever has it can act as this AI. Put it where the AI keeps its secrets, and nowhere else.',
)}
<div class="card">
${who(ai.name, aiFacts(ai))}
<p><label for="key">Key</label></p>
<output id="key" class="secret" tabindex="0">${key}</output>
<p class="soft">${oldKeyMinutes === 0 ? 'An older key does not work any more.' : `An older key works for another ${oldKeyMinutes} minutes.`}</p>
<div class="actions">${linkButton('I have copied it', paths.ai(ai.id), 'main')}</div>
</div>`;
  return page(frame, { title: 'The new key', main, here: 'ais', narrow: true });
}

/** Is it meant? Form: nothing more to paths.switchOffAi(id). */
export function switchOffPage(frame: Frame, { ai }: { ai: AiName & { id: string } }): string {
  const main = html`<h1>Switch off ${othersText(ai.name)}?</h1>
<div class="card">
${who(ai.name, aiFacts(ai))}
<p>Its keys and sign-ins end at once, and nothing can bring them back. What it did stays in your activity.</p>
${form(
  frame,
  { action: paths.switchOffAi(ai.id) },
  html`<div class="actions">${button('Switch it off for good', { kind: 'danger' })}${linkButton('Keep it', paths.ai(ai.id))}</div>`,
)}
</div>`;
  return page(frame, { title: 'Switch off an AI?', main, here: 'ais', narrow: true });
}

export interface EndSignIn {
  signIn: Pick<SignInOfProgram, 'id' | 'clientName' | 'clientHost' | 'aiName'>;
}

/** Is it meant? Form: nothing more to paths.endSignIn(id). */
export function endSignInPage(frame: Frame, { signIn }: EndSignIn): string {
  const { id, clientName, clientHost, aiName } = signIn;
  const main = html`<h1>End the sign-in of ${othersText(clientName)}?</h1>
<div class="card">
${clientHost !== undefined && html`<p>Described at <strong class="address">${clientHost}</strong>.</p>`}
<p>It can no longer act as ${othersText(aiName)}. To come back it has to ask you again.</p>
${form(
  frame,
  { action: paths.endSignIn(id) },
  html`<div class="actions">${button('End it', { kind: 'danger' })}${linkButton('Keep it', paths.ais)}</div>`,
)}
</div>`;
  return page(frame, { title: 'End a sign-in?', main, here: 'ais', narrow: true });
}
