import { listed, type Text, t } from '@hearth/i18n';
import type { AgeBand } from '../age-copy.ts';
import { who } from '../components/ai-name.ts';
import { type BirthValues, birthFields } from '../components/birth.ts';
import { type Errors, field, fieldset } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { tick, ticks } from '../components/tick.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, type Words } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import type { Child } from './family.ts';
import { messagePage } from './message.ts';

export interface Invite {
  /** A secret. */
  code: string;
  groupName: string;
  /** The inviter of a single-use invite; already shielded. */
  invitedBy?: string | undefined;
  reusable: boolean;
  /** At least one. */
  forAges: readonly AgeBand[];
  needsReview: boolean;
  expiresAtMs: number;
  /** Whether the signed-in person's age fits. */
  fits?: boolean;
  /** The signed-in person's children, and whether their ages fit. */
  children?: readonly (Pick<Child, 'id' | 'name'> & { fits: boolean })[];
  /** The whole link, for a minor who needs a guardian to join. */
  guardianLink?: string | undefined;
  /** The id of the chosen child. */
  joiner?: string;
  values?: BirthValues & { name?: string | undefined };
  /** The note to the organizers, if they review. */
  note?: string | undefined;
  errors?: Errors<'name' | 'birth' | 'note'>;
  /** Why the group refused them. */
  refused?: Piece | undefined;
}

/**
 * The group of an invite. Forms: `note` (only with needsReview) and `for` (a child's id, or empty) to
 * paths.invite(code) for a signed-in person; `name`, `birth_month`, `birth_year` (and `note`) to
 * paths.joinAsGuest(code) for a guest; `next` to paths.signInFor.
 */
export function invitePage(frame: Frame, model: Invite): string {
  const { groupName, errors = {} } = model;
  const main = html`<h1>${t('invites.invited-to', { group: othersText(groupName) })}</h1>
${actResult({ errors, refused: model.refused })}
<div class="card">
${who(groupName, inviter(model))}
<p>${t('invites.about-groups')}</p>
<dl class="facts">
<div><dt>${t('invites.for')}</dt><dd>${agesIn(model.forAges)}</dd></div>
<div><dt>${t('invites.joining')}</dt><dd>${model.needsReview ? t('invites.joining-reviewed') : t('invites.joining-open')}</dd></div>
<div><dt>${t('invites.expires')}</dt><dd>${moment(frame, model.expiresAtMs)}</dd></div>
</dl>
</div>
${joining(frame, model)}`;
  return page(frame, { title: t('invites.invited'), main, hasErrors: hasErrors(errors), narrow: true });
}

const agesIn = (ages: readonly AgeBand[]) => listed(ages.map((age) => t(`invites.ages.${age}`)));

function inviter({ invitedBy, reusable }: Invite): Text {
  if (reusable) return t('invites.open-link');
  return invitedBy === undefined ? t('invites.by-member') : t('invites.by', { name: othersText(invitedBy) });
}

function joining(frame: Frame, model: Invite): Html {
  if (model.guardianLink !== undefined) return askGuardian(model.guardianLink);
  if (frame.person !== undefined) return joinForm(frame, model);
  return html`${guestForm(frame, model)}
<section class="card" aria-labelledby="with-account">
<h2 id="with-account">${t('invites.with-account')}</h2>
<p>${t('invites.with-account-lead')}</p>
${form(
  frame,
  { action: paths.signInFor, carried: { next: paths.invite(model.code) } },
  button(t('invites.sign-in'), { kind: 'plain' }),
)}
</section>`;
}

/** A minor who needs a guardian passes the same link on to them. */
function askGuardian(link: string): Html {
  return html`<section class="card" aria-labelledby="guardian">
<h2 id="guardian">${t('invites.guardian')}</h2>
<p>${t('invites.guardian-lead')}</p>
<p><label for="url">${t('invites.link')}</label></p>
<output id="url" class="secret" tabindex="0">${link}</output>
<p>${t('invites.guardian-steps', { question: t('invites.who-joins') })}</p>
</section>`;
}

function joinForm(frame: Frame, model: Invite): Html {
  const { children = [], code, fits = true, joiner = '', needsReview } = model;
  const choices = [
    ...(fits ? [{ id: '', name: t('invites.me') }] : []),
    ...children.filter((child) => child.fits).map(({ id, name }) => ({ id, name: othersText(name) })),
  ];
  const ages = agesIn(model.forAges);
  const others = children.filter((child) => !child.fits);
  const [only, ...more] = choices;
  const cannot = html`${others.map(({ name }) => html`<p class="soft">${t('invites.other-age-child', { name: othersText(name), ages })}</p>`)}`;
  if (only === undefined)
    return html`<section class="card" aria-labelledby="nobody">
<h2 id="nobody">${t('invites.other-age')}</h2>
${
  frame.person?.minor === true
    ? html`<p>${t('invites.other-age-yours', { ages })}</p>`
    : model.forAges.includes('adult')
      ? html`<p>${t('invites.cannot-join')}</p>`
      : html`<p>${t('invites.other-age-family', { ages })}</p>
<div class="actions">${linkButton(t('invites.add-child'), paths.newChild, 'main')}</div>`
}
${cannot}
</section>`;
  const isChoice = more.length > 0;
  const name = html`<bdi>${only.id === '' ? frame.person?.name : only.name}</bdi>`;
  const heading = isChoice ? t('invites.join') : t('invites.join-as', { name });
  const ticked = choices.some(({ id }) => id === joiner) ? joiner : only.id;
  const rows = choices.map(({ id, name }) =>
    tick({
      ...{ kind: 'radio', name: 'for', value: id, id: `for-${id}`, ticked: id === ticked },
      label: name,
    }),
  );
  return html`<div class="card">
<h2>${heading}</h2>
${form(
  frame,
  { action: paths.invite(code), ...(!isChoice && only.id !== '' && { carried: { for: only.id } }) },
  html`${isChoice && fieldset({ id: 'for', legend: t('invites.who-joins') }, ticks(rows))}${needsReview && noteField(model)}${button(needsReview ? t('invites.ask-to-join') : t('invites.join'))}`,
)}
${cannot}
</div>`;
}

function guestForm(frame: Frame, model: Invite): Html {
  const { code, needsReview, values = {}, errors = {} } = model;
  return html`<section class="card" aria-labelledby="as-guest">
<h2 id="as-guest">${t('invites.as-guest')}</h2>
<p>${t('invites.as-guest-lead')}</p>
${form(
  frame,
  { action: paths.joinAsGuest(code) },
  html`${field({
    name: 'name',
    label: t('sign-in.name'),
    value: values.name,
    autocomplete: 'name',
    maxLength: 40,
    hint: t('invites.your-name-hint'),
    error: errors.name,
  })}
${birthFields(values, errors)}
${needsReview && noteField(model)}
${button(needsReview ? t('invites.ask-to-join') : t('invites.as-guest'))}`,
)}
</section>`;
}

function noteField({ note, errors = {} }: Invite): Html {
  return field({
    name: 'note',
    label: t('invites.note'),
    value: note,
    optional: true,
    autocomplete: 'off',
    maxLength: 200,
    hint: t('invites.note-hint'),
    error: errors.note,
  });
}

export interface Joined {
  /** The next step; it contains the group's name. */
  next: Words;
  /** The id of the group. */
  group: string;
  /** Whether the joiner is a guest, who is told how to keep their account. */
  guest: boolean;
  /** Whether a guardian joined for a child. */
  child?: boolean;
}

export function joinedPage(frame: Frame, { next, group, guest, child = false }: Joined): string {
  const title = child ? t('invites.joined-child') : t('invites.joined');
  const main = html`<h1>${title}</h1>
${notice('good', next)}
<div class="card">
${
  child
    ? html`<div class="actions">${linkButton(t('frame.family'), paths.family, 'main')}</div>`
    : guest
      ? html`<p>${t('invites.joined-guest')}</p>
<div class="actions">${linkButton(t('sign-in.own'), paths.addSignIn, 'main')}${linkButton(t('invites.to-group'), paths.group(group))}</div>`
      : html`<p>${t('invites.joined-ais')}</p>
<div class="actions">${linkButton(t('invites.to-group'), paths.group(group), 'main')}${linkButton(t('invites.your-ais'), paths.ais)}</div>`
}
</div>`;
  return page(frame, { title, main, narrow: true });
}

/**
 * Form without fields to paths.withdrawJoin(code).
 *
 * @param code set if the viewer asked for themselves and may withdraw
 */
export function waitingToJoinPage(
  frame: Frame,
  { next, code }: Pick<Joined, 'next'> & { code?: string | undefined },
): string {
  const title = t('invites.asked');
  const main = html`<h1>${title}</h1>
${notice('info', next)}
${
  code !== undefined &&
  html`<div class="card">
<p>${t('invites.withdraw-lead')}</p>
${form(frame, { action: paths.withdrawJoin(code) }, html`<div class="actions">${button(t('invites.withdraw'), { kind: 'plain' })}${linkButton(t('groups.title'), paths.groups)}</div>`)}
</div>`
}`;
  return page(frame, { title, main, narrow: true });
}

/** Why an invite does not work. */
export type InviteRefusal = 'used' | 'expired' | 'revoked' | 'full' | 'invalid';

export function inviteRefusedPage(frame: Frame, { why }: { why: InviteRefusal }): string {
  const link =
    frame.person === undefined
      ? { words: t('sign-in.title'), href: paths.signIn }
      : { words: t('groups.title'), href: paths.groups };
  return messagePage(frame, {
    ...{ title: t(`invites.refused.${why}`), words: t(`invites.refused.${why}-more`) },
    ...{ tone: 'care', link },
  });
}
