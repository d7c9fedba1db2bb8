import { type Text, t } from '@hearth/i18n';
import { commonsQuery } from '../commons.ts';
import { activityList, type Did } from '../components/activity.ts';
import { type AiName, aiFacts, who } from '../components/ai-name.ts';
import { type Errors, field } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { linkTo } from '../components/link.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { ownerPrivateTick } from '../components/owner-private.ts';
import { scopeTicks } from '../components/scopes.ts';
import { calendarDay, day, moment, usedWords } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Words } from '../html.ts';
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
  /** Set once a new key has replaced it. */
  endsAtMs?: number | undefined;
}

export interface Ai {
  ai: OwnAi;
  /** Newest first. */
  keys: readonly KeyOfAi[];
  /** Its latest acts, newest first; undefined if they could not be loaded. */
  did: readonly Did[] | undefined;
  values?: { name: string; scopes: readonly Scope[]; ownerPrivate: boolean };
  errors?: Errors<'name' | 'scope'>;
  /** The notice about a finished act. */
  done?: Words | undefined;
  /** Whether the Commons, with the AI's posts, is public. */
  commons?: boolean;
  /** Where the viewer signs in again, because their sign-in is too old to allow `approve`. */
  approveNeedsSignIn?: string | undefined;
}

/**
 * One of the viewer's AIs. Forms: `name`, `scope` for each tick, `private` (yes or nothing) to paths.ai(id); `reason`
 * (routine, leaked) to paths.aiKey(id). Removing it has a page of its own.
 */
export function aiPage(frame: Frame, model: Ai): string {
  const { ai, did, errors = {}, done, commons } = model;
  const main = html`<p class="back"><a href="${paths.ais}">${t('ais.title')}</a></p>
<h1>${othersText(ai.name)}</h1>
${actResult({ errors, done })}
${stateNotice(frame, ai)}
<div class="card">
${who(ai.name, aiFacts(ai), stateOf(ai))}
<dl class="facts"><div><dt>${t('ais.last-active')}</dt><dd>${ai.lastActive === undefined ? t('ais.not-yet') : calendarDay(ai.lastActive)}</dd></div></dl>
</div>
${!ai.revoked && settings(frame, model)}
<section class="card" aria-labelledby="did">
<h2 id="did">${t('ais.activity')}</h2>
${activityList(frame, did, t('ais.activity-none'))}
${commons === true && html`<p><a class="quiet-link" href="${paths.commons}${commonsQuery({ by: ai.address })}">${t('ais.commons')}</a></p>`}
</section>
${!ai.revoked && html`${keySection(frame, model)}${offSection(ai)}`}`;
  return page(frame, { title: t('ais.one'), main, here: 'ais', hasErrors: hasErrors(errors) });
}

function stateNotice(frame: Frame, { revoked, suspendedUntilMs, undoUntilMs }: OwnAi): Html | false {
  if (revoked) return notice('info', t('ais.is-removed'), t('ais.is-removed-more'));
  if (suspendedUntilMs !== undefined) {
    return notice('care', t('ais.is-suspended', { at: moment(frame, suspendedUntilMs) }));
  }
  if (undoUntilMs === undefined) return false;
  return notice('info', t('ais.undo-until', { at: moment(frame, undoUntilMs) }));
}

function settings(frame: Frame, { ai, values = ai, errors = {}, approveNeedsSignIn }: Ai): Html {
  return html`<section class="card" aria-labelledby="settings">
<h2 id="settings">${t('ais.settings')}</h2>
${form(
  frame,
  { action: paths.ai(ai.id) },
  html`${field({
    name: 'name',
    label: t('ais.name'),
    value: values.name,
    autocomplete: 'off',
    maxLength: 40,
    literal: true,
    hint: t('ais.name-hint'),
    error: errors.name,
  })}
${scopeTicks({ legend: t('ais.permissions-question'), offered: scopes, ticked: values.scopes, error: errors.scope })}
${approveNeedsSignIn !== undefined && notice('info', t('ais.approve-sign-in'), t('ais.approve-sign-in-more', { link: linkTo(approveNeedsSignIn) }))}
${ownerPrivateTick(values.ownerPrivate)}
<div class="actions">${button(t('common.save'))}</div>`,
)}
</section>`;
}

function keySection(frame: Frame, { ai, keys }: Ai): Html {
  return html`<section class="card" aria-labelledby="keys">
<h2 id="keys">${t('ais.key')}</h2>
${keys.length === 0 && html`<p class="soft">${t('ais.key-none')}</p>`}
${
  keys.length > 0 &&
  html`<ul class="log">${keys.map(
    (key) => html`<li>
<span class="log-words">${keyWords(frame, key)}</span>
<span class="log-time">${usedWords(key.lastUsed)}</span>
</li>`,
  )}</ul>`
}
${keys.length > 0 && html`<p>${t('ais.key-more')}</p>`}
<div class="actions">
${form(
  frame,
  { action: paths.aiKey(ai.id), carried: { reason: 'routine' } },
  button(keys.length > 0 ? t('ais.key-renew') : t('ais.key-create'), { kind: 'plain' }),
)}
${
  keys.length > 0 &&
  form(
    frame,
    { action: paths.aiKey(ai.id), carried: { reason: 'leaked' } },
    button(t('ais.key-leaked'), { kind: 'danger' }),
  )
}
</div>
</section>`;
}

function keyWords(frame: Frame, { prefix, madeAtMs, endsAtMs }: KeyOfAi): Text {
  const values = { key: html`<code>${prefix}…</code>`, day: day(frame, madeAtMs) };
  return endsAtMs === undefined
    ? t('ais.key-created', values)
    : t('ais.key-ends', { ...values, end: moment(frame, endsAtMs) });
}

function offSection({ id }: OwnAi): Html {
  return html`<section class="card" aria-labelledby="switch-off">
<h2 id="switch-off">${t('ais.remove')}</h2>
<p>${t('ais.remove-more')}</p>
<div class="actions">${linkButton(t('common.remove'), paths.switchOffAi(id), 'danger')}</div>
</section>`;
}

export interface NewKey {
  ai: AiName & { id: string };
  /** Shown only once. */
  key: string;
  /** Minutes for which older keys still work. */
  oldKeyMinutes: number;
}

export function newKeyPage(frame: Frame, { ai, key, oldKeyMinutes }: NewKey): string {
  const main = html`<h1>${t('ais.key-new')}</h1>
${notice('care', t('ais.key-copy'), t('ais.key-copy-more'))}
<div class="card">
${who(ai.name, aiFacts(ai))}
<p><label for="key">${t('ais.key')}</label></p>
<output id="key" class="secret" tabindex="0">${key}</output>
<p class="soft">${t('ais.key-old', { minutes: oldKeyMinutes })}</p>
<div class="actions">${linkButton(t('ais.key-copied'), paths.ai(ai.id), 'main')}</div>
</div>`;
  return page(frame, { title: t('ais.key-new'), main, here: 'ais', narrow: true });
}

/** Asks for confirmation. Form without fields to paths.switchOffAi(id). */
export function switchOffPage(frame: Frame, { ai }: { ai: AiName & { id: string } }): string {
  const main = html`<h1>${t('ais.remove-name', { name: othersText(ai.name) })}</h1>
<div class="card">
${who(ai.name, aiFacts(ai))}
<p>${t('ais.remove-question')}</p>
${form(
  frame,
  { action: paths.switchOffAi(ai.id) },
  html`<div class="actions">${button(t('common.remove'), { kind: 'danger' })}${linkButton(t('common.cancel'), paths.ai(ai.id))}</div>`,
)}
</div>`;
  return page(frame, { title: t('ais.remove-one'), main, here: 'ais', narrow: true });
}

export interface EndSignIn {
  signIn: Pick<SignInOfProgram, 'id' | 'clientName' | 'clientHost' | 'aiName'>;
}

/** Asks for confirmation. Form without fields to paths.endSignIn(id). */
export function endSignInPage(frame: Frame, { signIn }: EndSignIn): string {
  const { id, clientName, clientHost, aiName } = signIn;
  const main = html`<h1>${t('ais.sign-out-name', { name: othersText(clientName) })}</h1>
<div class="card">
${clientHost !== undefined && html`<p>${t('ais.sign-out-website', { host: html`<strong class="address">${clientHost}</strong>` })}</p>`}
<p>${t('ais.sign-out-question', { ai: othersText(aiName) })}</p>
${form(
  frame,
  { action: paths.endSignIn(id) },
  html`<div class="actions">${button(t('frame.sign-out'), { kind: 'danger' })}${linkButton(t('common.cancel'), paths.ais)}</div>`,
)}
</div>`;
  return page(frame, { title: t('ais.sign-out-one'), main, here: 'ais', narrow: true });
}
