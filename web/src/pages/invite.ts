import type { AgeBand } from '../age-copy.ts';
import { who } from '../components/ai-name.ts';
import { type BirthValues, birthFields } from '../components/birth.ts';
import { type Errors, field, fieldset } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { tick, ticks } from '../components/tick.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import type { Child } from './family.ts';
import { messagePage } from './message.ts';

export interface Invite {
  /** A secret. */
  code: string;
  groupName: string;
  /** The inviter of a one-time invite; shielded already. */
  invitedBy?: string | undefined;
  reusable: boolean;
  /** At least one. */
  forAges: readonly AgeBand[];
  needsReview: boolean;
  expiresAtMs: number;
  /** Whether the age of the person who is signed in fits. */
  fits?: boolean;
  /** The children whom the person who is signed in guards, and whether their ages fit. */
  children?: readonly (Pick<Child, 'id' | 'name'> & { fits: boolean })[];
  /** The whole link, for a person under 18 who needs a guardian to join. */
  guardianLink?: string | undefined;
  /** The id of the child who was chosen. */
  joiner?: string;
  values?: BirthValues & { name?: string | undefined };
  /** The note to the organizers, when they review. */
  note?: string | undefined;
  errors?: Errors<'name' | 'birth' | 'note'>;
  /** Why they were not taken into the group. */
  refused?: Piece | undefined;
}

/**
 * The group of an invite. Forms: `note` (only with needsReview) and `for` (the id of a child, or empty) to paths.invite(code) for a
 * person who is signed in; `name`,
 * `birth_month`, `birth_year` (and `note`) to paths.joinAsGuest(code) for a guest; `next` to paths.signInFor.
 */
export function invitePage(frame: Frame, model: Invite): string {
  const { groupName, errors = {} } = model;
  const main = html`<h1>You are invited to ${othersText(groupName)}</h1>
${actResult({ errors, refused: model.refused })}
<div class="card">
${who(groupName, inviter(model))}
<p>A group is where people and their AIs settle things together: they write to each other, find times and decide. Its members see your name and what you post there.</p>
<dl class="facts">
<div><dt>For</dt><dd>${agesIn(model.forAges)}</dd></div>
<div><dt>Joining</dt><dd>${model.needsReview ? 'an organizer looks at each request first' : 'at once, or once an organizer agrees'}</dd></div>
<div><dt>Works until</dt><dd>${moment(frame, model.expiresAtMs)}</dd></div>
</dl>
</div>
${joining(frame, model)}`;
  return page(frame, { title: 'You are invited', main, hasErrors: hasErrors(errors), narrow: true });
}

const ageWords: Readonly<Record<AgeBand, string>> = {
  adult: 'adults (18 and over)',
  teen16: 'teenagers of 16 and 17; a guardian may have to agree',
  teen13: 'teenagers of 13 to 15; a guardian may have to agree',
  child: 'children under 13; a guardian has to agree',
};

const agesIn = (ages: readonly AgeBand[]) => ages.map((age) => ageWords[age]).join('; ');

function inviter({ invitedBy, reusable }: Invite): Html {
  if (reusable) return html`An open link: whoever has it can use it.`;
  const by = invitedBy === undefined ? 'A member' : othersText(invitedBy);
  return html`${by} invites you. This link works once.`;
}

function joining(frame: Frame, model: Invite): Html {
  if (model.guardianLink !== undefined) return askGuardian(model.guardianLink);
  if (frame.person !== undefined) return joinForm(frame, model);
  return html`${guestForm(frame, model)}
<section class="card" aria-labelledby="with-account">
<h2 id="with-account">With an account</h2>
<p>You keep your groups on every device, and your AIs can help you. You come back to this page afterwards.</p>
${form(
  frame,
  { action: paths.signInFor, carried: { next: paths.invite(model.code) } },
  button('Sign in or make an account', { kind: 'plain' }),
)}
</section>`;
}

/** A person under 18 who needs a guardian has the guardian do it, by the same link. */
function askGuardian(link: string): Html {
  return html`<section class="card" aria-labelledby="guardian">
<h2 id="guardian">Ask your parent or guardian</h2>
<p>You need a parent or guardian to join. Send them this link:</p>
<p><label for="url">Link</label></p>
<output id="url" class="secret" tabindex="0">${link}</output>
<p>They open it, sign in, add you to their family if you aren't there yet, and choose you under “Who joins?”.</p>
</section>`;
}

function joinForm(frame: Frame, model: Invite): Html {
  const { children = [], code, fits = true, joiner = '', needsReview } = model;
  const choices = [
    ...(fits ? [{ id: '', name: 'I do' }] : []),
    ...children.filter((child) => child.fits),
  ].map(({ id, name }) => ({ id, name: id === '' ? name : othersText(name) }));
  const others = children.filter((child) => !child.fits);
  const [only, ...more] = choices;
  const cannot = html`${others.map(({ name }) => html`<p class="soft">${othersText(name)} can't join by this invite: it is for ${agesIn(model.forAges)}. Ask the person who sent it for an invite for their age.</p>`)}`;
  if (only === undefined)
    return html`<section class="card" aria-labelledby="nobody">
<h2 id="nobody">This invite is for another age</h2>
${
  frame.person?.minor === true
    ? html`<p>It is for ${agesIn(model.forAges)}. Ask the person who sent it for an invite for your age.</p>`
    : model.forAges.includes('adult')
      ? html`<p>You can't join by this invite.</p>`
      : html`<p>It is for ${agesIn(model.forAges)}. If it is for your child, add them to your family, then open this link again. If it is for you, ask the person who sent it for an invite for adults.</p>
<div class="actions">${linkButton('Add a child', paths.newChild, 'main')}</div>`
}
${cannot}
</section>`;
  const isChoice = more.length > 0;
  const heading = isChoice
    ? 'Join'
    : html`Join as <bdi>${only.id === '' ? frame.person?.name : only.name}</bdi>`;
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
  html`${isChoice && fieldset({ id: 'for', legend: 'Who joins?' }, ticks(rows))}${needsReview && noteField(model)}${button(needsReview ? 'Ask to join' : 'Join')}`,
)}
${cannot}
</div>`;
}

function guestForm(frame: Frame, model: Invite): Html {
  const { code, needsReview, values = {}, errors = {} } = model;
  return html`<section class="card" aria-labelledby="as-guest">
<h2 id="as-guest">As a guest</h2>
<p>A name is enough. You can add a sign-in later; until then you are in from this browser only.</p>
${form(
  frame,
  { action: paths.joinAsGuest(code) },
  html`${field({
    name: 'name',
    label: 'Your name',
    value: values.name,
    autocomplete: 'name',
    maxLength: 40,
    hint: 'As the others in the group shall see it.',
    error: errors.name,
  })}
${birthFields(values, errors)}
${needsReview && noteField(model)}
${button(needsReview ? 'Ask to join' : 'Join as a guest')}`,
)}
</section>`;
}

function noteField({ note, errors = {} }: Invite): Html {
  return field({
    name: 'note',
    label: 'A word to the organizers',
    value: note,
    optional: true,
    autocomplete: 'off',
    maxLength: 200,
    hint: 'Who you are, so that they know you.',
    error: errors.note,
  });
}

export interface Joined {
  /** The next step, in a sentence of the home with the name of the group. */
  next: string;
  /** The id of the group. */
  group: string;
  /** A guest is told how to keep what they have. */
  guest: boolean;
  /** A guardian joined for a child of theirs. */
  child?: boolean;
}

export function joinedPage(frame: Frame, { next, group, guest, child = false }: Joined): string {
  const title = child ? 'Your child is in' : 'You are in';
  const main = html`<h1>${title}</h1>
${notice('good', nextWords(next))}
<div class="card">
${
  child
    ? html`<div class="actions">${linkButton('Family', paths.family, 'main')}</div>`
    : guest
      ? html`<p>You are a guest: this browser alone knows you. Add an e-mail address or a passkey to stay in from anywhere.</p>
<div class="actions">${linkButton('Add a sign-in', paths.addSignIn, 'main')}${linkButton('To the group', paths.group(group))}</div>`
      : html`<p>What your AIs may do there is yours to say.</p>
<div class="actions">${linkButton('To the group', paths.group(group), 'main')}${linkButton('Connected AIs', paths.ais)}</div>`
}
</div>`;
  return page(frame, { title, main, narrow: true });
}

/** The name of a group stands among the home's own words: all of it is set apart as what others wrote is. */
function nextWords(next: string): Html {
  return othersText(next, 300);
}

/** Form: nothing more to paths.withdrawJoin(code). @param code of one who asked for themselves, and may take it back */
export function waitingToJoinPage(
  frame: Frame,
  { next, code }: Pick<Joined, 'next'> & { code?: string | undefined },
): string {
  const title = 'You have asked to join';
  const main = html`<h1>${title}</h1>
${notice('info', nextWords(next))}
${
  code !== undefined &&
  html`<div class="card">
<p>While it waits you can take it back. An invite that works once ends by it.</p>
${form(frame, { action: paths.withdrawJoin(code) }, html`<div class="actions">${button('Take it back', { kind: 'plain' })}${linkButton('Your groups', paths.groups)}</div>`)}
</div>`
}`;
  return page(frame, { title, main, narrow: true });
}

/** Why an invitation does not work. */
export type InviteRefusal = 'used' | 'expired' | 'revoked' | 'full' | 'invalid';

const refusals: Readonly<Record<InviteRefusal, { title: string; words: string }>> = {
  used: {
    title: 'This invitation was used',
    words:
      'It worked once, and a person has joined or asked to join with it. If that was you, sign in and look at your groups. Otherwise ask for a new one.',
  },
  expired: {
    title: 'This invitation has run out',
    words: 'It was open for a limited time. Ask whoever sent it for a new one.',
  },
  revoked: {
    title: 'This invitation was taken back',
    words: 'Whoever made it does not want it used any more. If you think that is a mistake, ask them.',
  },
  full: {
    title: 'Everybody has come already',
    words: 'As many people as this link was made for have joined with it. Ask for another one.',
  },
  invalid: {
    title: 'There is no such invitation',
    words:
      'The link is not complete, or was never given out here. Open it once more from the message in which it came.',
  },
};

export function inviteRefusedPage(frame: Frame, { why }: { why: InviteRefusal }): string {
  const { title, words } = refusals[why];
  const link =
    frame.person === undefined
      ? { words: 'Sign in', href: paths.signIn }
      : { words: 'Your groups', href: paths.groups };
  return messagePage(frame, { title, words, tone: 'care', link });
}
