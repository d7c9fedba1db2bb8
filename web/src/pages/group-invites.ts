import type { AgeBand } from '../age-copy.ts';
import { pill } from '../components/ai-name.ts';
import { type Errors, field, select } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { tick, ticks } from '../components/tick.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, type Words } from '../html.ts';
import {
  DELIVERY_COPY,
  INVITE_END_WORDS,
  INVITE_STATUS_WORDS,
  type InviteDelivery,
  type InviteEnd,
  type InviteStatus,
} from '../invite-copy.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';

/** An invite as organizers see it. */
export interface MadeInvite {
  id: string;
  /** The name that the inviter gave. */
  invitee?: string | undefined;
  reusable: boolean;
  status: InviteStatus;
  why?: InviteEnd | undefined;
  /** Undefined for an invite that was sent to no one of this home. */
  delivery?: InviteDelivery | undefined;
  expiresAtMs: number;
  uses?: number | undefined;
  maxUses?: number | undefined;
  /** Names of those who wait to join by it, as the viewer may see them. */
  waiting: readonly string[];
}

/** An invite that was just made; its link is shown this once. */
export interface JustInvited {
  url: string;
  reusable: boolean;
  delivery?: InviteDelivery | undefined;
}

export interface GroupInvites {
  groupName: string;
  /** Without the &. */
  handle: string;
  /** The ages that the group may take, beside adults. */
  forAges: readonly AgeBand[];
  /** Newest first. */
  invites: readonly MadeInvite[];
  /** Which attempt a form is: sent twice, it has its effect once. */
  attempt: string;
  olderCursor?: string | undefined;
  isOlder: boolean;
  made?: JustInvited | undefined;
  done?: Words | undefined;
  refused?: Piece | undefined;
  values?: InviteValues;
  errors?: Errors<'to' | 'invitee' | 'for_age'>;
}

export interface InviteValues {
  to?: string | undefined;
  invitee?: string | undefined;
  for_age?: string | undefined;
  reusable?: boolean | undefined;
}

/**
 * The invites into a group, for its organizers. Forms: `to`, `invitee`, `for_age` (where the group takes others than
 * adults), `reusable` (yes) to paths.groupInvites(handle); nothing more to paths.takeBackInvite(handle, id).
 */
export function groupInvitesPage(frame: Frame, model: GroupInvites): string {
  const { groupName, handle, invites, made, done, refused, errors = {}, isOlder, olderCursor } = model;
  const main = html`<p class="back"><a href="${paths.group(handle)}">${othersText(groupName)}</a></p>
<h1>Invites into ${othersText(groupName)}</h1>
${actResult({ errors, done, refused })}
${made !== undefined && madeCard(made)}
${!isOlder && makeCard(frame, model)}
<section aria-labelledby="made">
<h2 id="made">${isOlder ? 'Older invites' : 'Invites that were made'}</h2>
${
  invites.length === 0
    ? html`<div class="card"><p class="soft">${isOlder ? 'There is nothing older.' : 'No person has been invited yet.'}</p></div>`
    : html`<ul class="cards">${invites.map((invite, index) => inviteCard(frame, handle, invite, index))}</ul>`
}
<p class="actions">
${isOlder && html`<a class="quiet-link" href="${paths.groupInvites(handle)}">The newest</a>`}
${olderCursor !== undefined && html`<a class="quiet-link" href="${olderPath(handle, olderCursor)}">Older</a>`}
</p>
</section>`;
  return page(frame, {
    title: 'Invites into a group',
    main,
    here: 'groups',
    narrow: true,
    hasErrors: hasErrors(errors),
  });
}

function olderPath(handle: string, cursor: string): string {
  return `${paths.groupInvites(handle)}?${new URLSearchParams({ older: cursor })}`;
}

function madeCard({ url, reusable, delivery }: JustInvited): Html {
  const words =
    delivery === undefined ? 'Give the link to whom you want to have in.' : DELIVERY_COPY[delivery];
  if (delivery === 'declined' && !reusable) return notice('care', 'They were not invited', words);
  return html`${notice('good', 'The invite is made', words)}
<section class="card" aria-labelledby="link">
<h2 id="link">The link</h2>
<p>${reusable ? 'Whoever has it can use it.' : 'It works once, for whoever has it.'} Copy it now if you need it: it is shown this once.</p>
<p><label for="url">Link</label></p>
<output id="url" class="secret" tabindex="0">${url}</output>
</section>`;
}

function makeCard(frame: Frame, model: GroupInvites): Html {
  const { handle, attempt, values = {}, errors = {} } = model;
  return html`<section class="card" aria-labelledby="make">
<h2 id="make">Invite a person</h2>
${form(
  frame,
  { action: paths.groupInvites(handle), carried: { attempt } },
  html`${field({
    name: 'to',
    label: 'Their address, or an e-mail address',
    value: values.to,
    optional: true,
    autocomplete: 'off',
    maxLength: 320,
    literal: true,
    hint: 'Such as @ada or ada@example.com. Without one you get a link that you give them yourself.',
    error: errors.to,
  })}
${field({
  name: 'invitee',
  label: 'Their name',
  value: values.invitee,
  optional: true,
  autocomplete: 'off',
  maxLength: 60,
  hint: 'So that you know later whom it was for.',
  error: errors.invitee,
})}
${ageField(model)}
${ticks([
  tick({
    name: 'reusable',
    value: 'yes',
    label: 'A link for many',
    hint: 'Everybody who has it can use it, until you take it back.',
    ticked: values.reusable === true,
  }),
])}
<div class="actions">${button('Make the invite')}</div>`,
)}
</section>`;
}

const ageWords: Readonly<Record<AgeBand, string>> = {
  adult: 'Adults (18 and over)',
  teen16: '16 or 17',
  teen13: '13 to 15',
  child: 'Under 13',
};

function ageField({ forAges, values = {}, errors = {} }: GroupInvites): Piece {
  if (forAges.length < 2) return undefined;
  return select({
    name: 'for_age',
    label: 'For whom',
    groups: [
      {
        label: '',
        choices: forAges.flatMap((value) => (value === 'adult' ? [] : [{ value, words: ageWords[value] }])),
      },
    ],
    value: values.for_age,
    empty: ageWords.adult,
    optional: true,
    hint: 'An invite is for one age. A person under 18 may need the approval of their guardian.',
    error: errors.for_age,
  });
}

function inviteCard(frame: Frame, handle: string, invite: MadeInvite, index: number): Html {
  const { id, invitee, reusable, status, why, delivery, expiresAtMs, uses, maxUses, waiting } = invite;
  const { words, tone } = INVITE_STATUS_WORDS[status];
  const isOpen = status === 'waiting' || status === 'approved';
  const isNamed = invitee !== undefined && invitee !== '';
  const what = isNamed ? othersText(invitee) : reusable ? 'A link for many' : 'For one';
  const facts = [
    ...(reusable && maxUses !== undefined ? [fact('Used', `${uses ?? 0} of ${maxUses} times`)] : []),
    ...(isOpen ? [fact('Works until', moment(frame, expiresAtMs))] : []),
  ];
  return html`<li class="card">
<h3 class="request-title" id="invite-${index}">${what} ${pill(words, tone)}</h3>
${delivery !== undefined && html`<p>${DELIVERY_COPY[delivery]}</p>`}
${status === 'declined' && why !== undefined && !(why === 'declined' && delivery === 'declined') && html`<p>${INVITE_END_WORDS[why]}</p>`}
${waiting.length > 0 && html`<p>Waits to join: ${waiting.map((name, place) => html`${place > 0 && ', '}${othersText(name)}`)}</p>`}
${facts.length > 0 && html`<dl class="facts">${facts}</dl>`}
${
  isOpen &&
  form(
    frame,
    { action: paths.takeBackInvite(handle, id) },
    html`<div class="actions">${button(html`Take it back<span class="unseen">: ${what}</span>`, { kind: 'plain' })}</div>`,
  )
}
</li>`;
}

function fact(name: string, words: Piece): Html {
  return html`<div><dt>${name}</dt><dd>${words}</dd></div>`;
}

export interface FollowedInvite {
  joined: boolean;
  /** The next step, in a sentence of the home with the name of the group. */
  next: string;
}

/** An invite was followed out of the requests, for oneself or for a child. */
export function followedInvitePage(frame: Frame, { joined, next }: FollowedInvite): string {
  const main = html`<h1>${joined ? 'The invite is accepted' : 'You have asked to join'}</h1>
${notice(joined ? 'good' : 'info', othersText(next, 300))}
<p class="actions">${linkButton('Back to the requests', paths.requests, 'main')}${joined && linkButton('Your groups', paths.groups)}</p>`;
  return page(frame, { title: joined ? 'Accepted' : 'Asked to join', main, here: 'requests', narrow: true });
}
