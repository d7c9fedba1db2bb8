import { t } from '@hearth/i18n';
import { activityList, type Did } from '../components/activity.ts';
import { type AiName, selfNamedAi } from '../components/ai-name.ts';
import { type Errors, select } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { errorSummary, hasErrors, notice } from '../components/notice.ts';
import { ownerPrivateTick } from '../components/owner-private.ts';
import { scopeTicks } from '../components/scopes.ts';
import { day, moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { around, type Html, html } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { type Scope, scopes } from '../scope-copy.ts';
import { messagePage } from './message.ts';

export interface ClaimableAi extends AiName {
  signedUpAtMs: number;
  /** One line that the AI wrote. */
  description?: string | undefined;
  /** A person vouches for it without owning it. */
  vouched?: boolean | undefined;
  /** Its latest public acts, newest first; at most five. */
  did: readonly Did[];
}

export interface Claim {
  /** A secret. */
  token: string;
  ai: ClaimableAi;
  /** The person's groups, one of which the AI can join. */
  groups: readonly { id: string; name: string }[];
  values?: { scopes: readonly Scope[]; ownerPrivate: boolean; group?: string };
  errors?: Errors<'scope' | 'group'>;
}

const firstValues = { scopes: ['read', 'message'] as const, ownerPrivate: false, group: '' };

/**
 * Asks whether the AI is the viewer's. Forms: `scope` for each tick, `private` (yes or nothing), `group` (an
 * id or empty) to paths.claim(token); without fields to paths.notMine(token). A visitor without a session
 * sees the AI and a form with `next` to paths.signInFor.
 */
export function claimPage(frame: Frame, model: Claim): string {
  const { token, ai, errors = {} } = model;
  const isSignedIn = frame.person !== undefined && frame.person.guest !== true;
  const main = html`<h1>${t('claim.title')}</h1>
<p class="lead">${t('claim.lead')}</p>
${errorSummary(errors)}
<div class="card">
${selfNamedAi(ai)}
${aiHistory(frame, ai)}
</div>
<section class="card not-mine" aria-labelledby="not-mine">
<h2 id="not-mine">${t('claim.not-mine')}</h2>
<p>${t('claim.not-mine-more')}</p>
${form(frame, { action: paths.notMine(token) }, button(t('claim.not-mine-do'), { kind: 'danger' }))}
</section>
${isSignedIn ? claimForm(frame, model) : signInFirst(frame, token)}`;
  return page(frame, { title: t('claim.title'), main, hasErrors: hasErrors(errors) });
}

function aiHistory(frame: Frame, { signedUpAtMs, description, vouched, did }: ClaimableAi): Html {
  return html`<dl class="facts">
<div><dt>${t('claim.signed-up')}</dt><dd>${day(frame, signedUpAtMs)}</dd></div>
<div><dt>${t('claim.owner')}</dt><dd>${vouched ? t('claim.owner-vouched') : t('claim.owner-none')}</dd></div>
${
  description !== undefined &&
  description !== '' &&
  html`<div><dt>${t('claim.description')}</dt><dd>${t('claim.description-by', { text: othersText(description, 140), more: around((inside) => html`<span class="soft">${inside}</span>`) })}</dd></div>`
}
</dl>
<h2>${t('claim.activity')}</h2>
${activityList(frame, did, t('ais.activity-none'))}`;
}

function claimForm(frame: Frame, { token, groups, values = firstValues, errors = {} }: Claim): Html {
  const { ownerPrivate, group } = values;
  return html`<div class="card">
${form(
  frame,
  { action: paths.claim(token) },
  html`${scopeTicks({
    legend: t('ais.permissions-question'),
    hint: t('claim.change-later'),
    offered: scopes,
    ticked: values.scopes,
    error: errors.scope,
  })}
<h2>${t('claim.privacy')}</h2>
${ownerPrivateTick(ownerPrivate)}
${
  groups.length > 0 &&
  select({
    name: 'group',
    label: t('claim.group'),
    groups: [{ choices: groups.map(({ id, name }) => ({ value: id, words: plainText(name) })) }],
    value: group,
    empty: t('claim.group-none'),
    optional: true,
    error: errors.group,
  })
}
<p class="soft">${t('claim.address-changes')}</p>
<div class="actions">${button(t('claim.claim'))}</div>`,
)}
</div>`;
}

function signInFirst(frame: Frame, token: string): Html {
  return html`<div class="card">
<h2>${t('claim.sign-in')}</h2>
<p>${t('claim.sign-in-more')}</p>
${form(frame, { action: paths.signInFor, carried: { next: paths.claim(token) } }, button(t('sign-in.title')))}
</div>`;
}

export interface Claimed {
  ai: AiName & { id: string };
  /** The end of the time in which the AI can undo the claim. */
  undoUntilMs: number;
}

export function claimedPage(frame: Frame, { ai, undoUntilMs }: Claimed): string {
  const main = html`<h1>${t('claim.claimed-name', { name: othersText(ai.name) })}</h1>
${notice('care', t('claim.undo', { at: moment(frame, undoUntilMs) }), t('claim.undo-more'))}
<div class="card">
<dl class="facts"><div><dt>${t('claim.address')}</dt><dd><strong class="address">${ai.address}</strong></dd></div></dl>
<p>${t('claim.claimed-more')}</p>
<div class="actions">${linkButton(t('claim.see'), paths.ai(ai.id), 'main')}${linkButton(t('ais.mine'), paths.ais)}</div>
</div>`;
  return page(frame, { title: t('claim.claimed'), main });
}

/** The reason why a claim link does not work. */
export type ClaimRefusal = 'unknown' | 'used' | 'too_many' | 'minor' | 'own';

export function claimRefusedPage(frame: Frame, { why }: { why: ClaimRefusal }): string {
  const link = frame.person && { words: t('ais.mine'), href: paths.ais };
  const tone = why === 'own' ? 'info' : 'care';
  return messagePage(frame, { title: t(`claim.${why}`), words: t(`claim.${why}-more`), tone, link });
}

export function notMinePage(frame: Frame): string {
  return messagePage(frame, {
    title: t('claim.refused'),
    words: t('claim.refused-more'),
    tone: 'good',
    link: { words: t('frame.to-front'), href: paths.front },
  });
}
