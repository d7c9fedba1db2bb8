import { listed, type Text, t } from '@hearth/i18n';
import type { AgeBand } from '../age-copy.ts';
import { pill } from '../components/ai-name.ts';
import { type Errors, field, select } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { tick, ticks } from '../components/tick.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, unseen, type Words } from '../html.ts';
import type { InviteDelivery, InviteEnd, InviteStatus } from '../invite-copy.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';

/** An invite as organizers see it. */
export interface MadeInvite {
  id: string;
  /** The invited person's name, as the inviter gave it. */
  invitee?: string | undefined;
  reusable: boolean;
  status: InviteStatus;
  why?: InviteEnd | undefined;
  /** Undefined unless it was sent to someone in this home. */
  delivery?: InviteDelivery | undefined;
  expiresAtMs: number;
  uses?: number | undefined;
  maxUses?: number | undefined;
  /** The names of people who wait to join with it, as the viewer may see them. */
  waiting: readonly string[];
}

/** An invite that was just created; its link is shown only once. */
export interface JustInvited {
  url: string;
  reusable: boolean;
  delivery?: InviteDelivery | undefined;
}

export interface GroupInvites {
  groupName: string;
  /** Without the &. */
  handle: string;
  /** The ages besides adults that the group accepts. */
  forAges: readonly AgeBand[];
  /** Newest first. */
  invites: readonly MadeInvite[];
  /** Makes submitting a form twice idempotent. */
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
 * A group's invites, for its organizers. Forms: `to`, `invitee`, `for_age` (if the group accepts other ages),
 * `reusable` (yes) to paths.groupInvites(handle); without fields to paths.takeBackInvite(handle, id).
 */
export function groupInvitesPage(frame: Frame, model: GroupInvites): string {
  const { groupName, handle, invites, made, done, refused, errors = {}, isOlder, olderCursor } = model;
  const main = html`<p class="back"><a href="${paths.group(handle)}">${othersText(groupName)}</a></p>
<h1>${t('invites.title', { group: othersText(groupName) })}</h1>
${actResult({ errors, done, refused })}
${made !== undefined && madeCard(made)}
${!isOlder && createCard(frame, model)}
<section aria-labelledby="made">
<h2 id="made">${isOlder ? t('invites.older') : t('invites.all')}</h2>
${
  invites.length === 0
    ? html`<div class="card"><p class="soft">${isOlder ? t('invites.none-older') : t('invites.none')}</p></div>`
    : html`<ul class="cards">${invites.map((invite, index) => inviteCard(frame, handle, invite, index))}</ul>`
}
<p class="actions">
${isOlder && html`<a class="quiet-link" href="${paths.groupInvites(handle)}">${t('common.newest')}</a>`}
${olderCursor !== undefined && html`<a class="quiet-link" href="${olderPath(handle, olderCursor)}">${t('common.older')}</a>`}
</p>
</section>`;
  return page(frame, {
    title: t('invites.page'),
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
  const share = reusable ? t('invites.share-many') : t('invites.share-one');
  const words = delivery === undefined ? share : t(`invites.delivery.${delivery}`);
  if (delivery === 'declined' && !reusable) return notice('care', t('invites.not-invited'), words);
  return html`${notice('good', t('invites.created'), words)}
<section class="card" aria-labelledby="link">
<h2 id="link">${t('invites.link-title')}</h2>
<p>${reusable ? t('invites.link-many') : t('invites.link-one')}</p>
<p><label for="url">${t('invites.link')}</label></p>
<output id="url" class="secret" tabindex="0">${url}</output>
</section>`;
}

function createCard(frame: Frame, model: GroupInvites): Html {
  const { handle, attempt, values = {}, errors = {} } = model;
  return html`<section class="card" aria-labelledby="create">
<h2 id="create">${t('invites.create')}</h2>
${form(
  frame,
  { action: paths.groupInvites(handle), carried: { attempt } },
  html`${field({
    name: 'to',
    label: t('invites.to'),
    value: values.to,
    optional: true,
    autocomplete: 'off',
    maxLength: 320,
    literal: true,
    hint: t('invites.to-hint'),
    error: errors.to,
  })}
${field({
  name: 'invitee',
  label: t('invites.name'),
  value: values.invitee,
  optional: true,
  autocomplete: 'off',
  maxLength: 60,
  hint: t('invites.name-hint'),
  error: errors.invitee,
})}
${ageField(model)}
${ticks([
  tick({
    name: 'reusable',
    value: 'yes',
    label: t('invites.reusable'),
    hint: t('invites.reusable-hint'),
    ticked: values.reusable === true,
  }),
])}
<div class="actions">${button(t('invites.create-button'))}</div>`,
)}
</section>`;
}

function ageField({ forAges, values = {}, errors = {} }: GroupInvites): Piece {
  if (forAges.length < 2) return undefined;
  return select({
    name: 'for_age',
    label: t('invites.for-age'),
    groups: [
      {
        choices: forAges.flatMap((value) =>
          value === 'adult' ? [] : [{ value, words: t(`invites.for-age.${value}`) }],
        ),
      },
    ],
    value: values.for_age,
    empty: t('invites.for-age.adult'),
    optional: true,
    hint: t('invites.for-age-hint'),
    error: errors.for_age,
  });
}

const tones = {
  waiting: 'plain',
  approved: 'plain',
  declined: 'care',
  used: 'good',
} as const satisfies Record<InviteStatus, string>;

function inviteCard(frame: Frame, handle: string, invite: MadeInvite, index: number): Html {
  const { id, invitee, reusable, status, why, delivery, expiresAtMs, uses, maxUses, waiting } = invite;
  const isOpen = status === 'waiting' || status === 'approved';
  const isNamed = invitee !== undefined && invitee !== '';
  const what = isNamed ? othersText(invitee) : reusable ? t('invites.reusable') : t('invites.once');
  const facts = [
    ...(reusable && maxUses !== undefined
      ? [fact(t('invites.used'), t('invites.used-times', { uses: uses ?? 0, most: maxUses }))]
      : []),
    ...(isOpen ? [fact(t('invites.expires'), moment(frame, expiresAtMs))] : []),
  ];
  return html`<li class="card">
<h3 class="request-title" id="invite-${index}">${what} ${pill(t(`invites.status.${status}`), tones[status])}</h3>
${delivery !== undefined && html`<p>${t(`invites.delivery.${delivery}`)}</p>`}
${status === 'declined' && why !== undefined && !(why === 'declined' && delivery === 'declined') && html`<p>${t(`invites.end.${why}`)}</p>`}
${waiting.length > 0 && html`<p>${t('invites.waiting', { names: listed(waiting.map((name) => othersText(name))) })}</p>`}
${facts.length > 0 && html`<dl class="facts">${facts}</dl>`}
${
  isOpen &&
  form(
    frame,
    { action: paths.takeBackInvite(handle, id) },
    html`<div class="actions">${button(t('invites.revoke', { unseen, invite: what }), { kind: 'plain' })}</div>`,
  )
}
</li>`;
}

function fact(name: Text, words: Piece): Html {
  return html`<div><dt>${name}</dt><dd>${words}</dd></div>`;
}

export interface FollowedInvite {
  joined: boolean;
  /** The next step; it contains the group's name. */
  next: Words;
}

/** Confirms an invite that was accepted from the requests, for oneself or a child. */
export function followedInvitePage(frame: Frame, { joined, next }: FollowedInvite): string {
  const main = html`<h1>${joined ? t('invites.accepted') : t('invites.asked')}</h1>
${notice(joined ? 'good' : 'info', next)}
<p class="actions">${linkButton(t('invites.back-to-requests'), paths.requests, 'main')}${joined && linkButton(t('groups.title'), paths.groups)}</p>`;
  return page(frame, {
    title: joined ? t('invites.accepted') : t('invites.asked'),
    main,
    here: 'requests',
    narrow: true,
  });
}
