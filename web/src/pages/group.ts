import { type Text, t } from '@hearth/i18n';
import { pill, who } from '../components/ai-name.ts';
import type { Errors } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { memberActs } from '../components/member-acts.ts';
import { actResult, errorSummary, hasErrors, notice } from '../components/notice.ts';
import { type ReportForm, reportForm } from '../components/report-form.ts';
import { textArea } from '../components/text-area.ts';
import { tick, ticks } from '../components/tick.ts';
import { day, moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { around, type Html, html, type Piece, unseen, type Words } from '../html.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { type GroupAges, type GroupRole, rolePill } from './groups.ts';

export interface GroupMember {
  /** The id by which the viewer knows them. */
  id: string;
  name: string;
  /** An id instead, if the viewer may not see who they are. */
  address: string;
  role: GroupRole;
  isViewer: boolean;
  isGuest: boolean;
  isAdult: boolean;
  /** Their home, if remote. */
  home?: string | undefined;
  joinedAtMs: number;
}

export interface GroupPost {
  id: string;
  /** An address, or the id by which the viewer knows a minor. */
  from: string;
  fromName: string;
  byAi: boolean;
  isViewers: boolean;
  /** Empty once it was removed. */
  text: string;
  atMs: number;
  /** Whether the time is only known to the day. */
  isDay: boolean;
  /** The author of the post that it replies to, if that is on the same page. */
  answers?: { id: string; name: string } | undefined;
}

/** A decision or a plan. */
export interface Course {
  kind: 'decision' | 'plan';
  title: string;
  href: string;
  /** The outcome; absent while it is open. */
  state?: 'agreed' | 'settled' | 'cancelled' | undefined;
}

export interface Group {
  name: string;
  /** Without the &. */
  handle: string;
  role: GroupRole;
  archived: boolean;
  /** Whether it is archived permanently, because its end has come. */
  ended?: boolean | undefined;
  endsAtMs?: number | undefined;
  minors: GroupAges;
  /** For minors=teens. */
  consentAge?: number | undefined;
  hasMinors: boolean;
}

export interface GroupPage {
  group: Group;
  /** Shown alone when only its next page is requested. */
  part?: 'members' | 'posts' | undefined;
  /** In the API's order; undefined if they could not be loaded, as for all lists here. */
  members: readonly GroupMember[] | undefined;
  moreMembers?: string | undefined;
  /** Newest first. */
  posts: readonly GroupPost[] | undefined;
  olderPosts?: string | undefined;
  open: readonly Course[] | undefined;
  /** The kinds that the viewer may start. */
  begins: readonly Course['kind'][];
  /** Days within which the viewer may undo the archiving, if they archived it. */
  restoreDays?: number | undefined;
  /** The longest post, in characters. */
  postLength: number;
  /** Makes submitting a form twice idempotent. */
  attempt: string;
  text?: string;
  done?: Words | undefined;
  refused?: Piece | undefined;
  errors?: Errors<'text'>;
}

/**
 * A member's view of a group. Forms: `text` to paths.group(handle); without fields to
 * paths.restoreGroup(handle); the forms of `memberActs` for organizers.
 */
export function groupPage(frame: Frame, model: GroupPage): string {
  const { group, part, done, refused, errors = {} } = model;
  const { handle, name, archived, ended } = group;
  const back = part === undefined ? { words: t('groups.title'), href: paths.groups } : toGroup(group);
  const main = html`<p class="back"><a href="${back.href}">${back.words}</a></p>
<h1>${othersText(name, 80)}</h1>
${actResult({ errors, done, refused })}
${archived && (ended ? notice('care', t('groups.is-ended'), t('groups.is-ended-more')) : notice('care', t('groups.is-archived'), t('groups.is-archived-more')))}
${part === undefined && archived && model.restoreDays !== undefined && restoreCard(frame, handle, model.restoreDays)}
${part === undefined && aboutCard(frame, group)}
${part === undefined && openSection(model)}
${part !== 'members' && postSection(frame, model)}
${part !== 'posts' && memberSection(frame, model)}
${
  part === undefined &&
  html`<section class="card" aria-labelledby="leave">
<h2 id="leave">${t('groups.leave')}</h2>
<div class="actions">${linkButton(t('groups.leave-button'), paths.leaveGroup(handle), 'danger')}</div>
</section>`
}`;
  return page(frame, {
    title: t('groups.page'),
    main,
    here: 'groups',
    narrow: true,
    hasErrors: hasErrors(errors),
  });
}

const toGroup = ({ handle, name }: Pick<Group, 'handle' | 'name'>) => ({
  words: othersText(name, 80),
  href: paths.group(handle),
});

function aboutCard(frame: Frame, group: Group): Html {
  const { handle, role, archived, ended, endsAtMs, hasMinors } = group;
  return html`<section class="card" aria-labelledby="about">
<h2 id="about">${t('groups.about')}</h2>
<dl class="facts">
${fact(t('groups.address'), html`<span class="address">&${handle}</span>`)}
${fact(t('groups.your-role'), t(`groups.role.${role}`))}
${fact(t('groups.ages'), agesOf(group))}
${hasMinors && fact(t('groups.under-18s'), t('groups.has-minors'))}
${endsAtMs !== undefined && fact(ended ? t('groups.ended') : t('groups.ends'), moment(frame, endsAtMs))}
</dl>
${role === 'organizer' && !archived && html`<p class="actions">${linkButton(t('groups.invites'), paths.groupInvites(handle))}${linkButton(t('groups.settings'), paths.groupSettings(handle))}</p>`}
</section>`;
}

function restoreCard(frame: Frame, handle: string, days: number): Html {
  return html`<section class="card" aria-labelledby="restore">
<h2 id="restore">${t('groups.restore')}</h2>
<p>${t('groups.restore-lead', { days })}</p>
${form(frame, { action: paths.restoreGroup(handle) }, html`<div class="actions">${button(t('groups.restore-button'))}</div>`)}
</section>`;
}

function agesOf({ minors, consentAge = 16 }: Group): Text {
  return minors === 'teens' ? t('groups.for.teens', { age: consentAge }) : t(`groups.for.${minors}`);
}

function fact(name: Text, words: Piece): Html {
  return html`<div><dt>${name}</dt><dd>${words}</dd></div>`;
}

function openSection({ group: { handle }, open, begins }: GroupPage): Html {
  return html`<section aria-labelledby="open">
<h2 id="open">${t('groups.open')}</h2>
${open === undefined ? notShown : courseList(open, t('groups.open-none'))}
<p class="actions">
${begins.includes('plan') && linkButton(t('groups.propose-times'), paths.newPlan(handle))}
${begins.includes('decision') && linkButton(t('groups.ask-group'), paths.newDecision(handle))}
<a class="quiet-link" href="${paths.groupSettled(handle)}">${t('groups.past')}</a>
</p>
</section>`;
}

function courseList(courses: readonly Course[], none: Text): Html {
  if (courses.length === 0) return html`<div class="card"><p class="soft">${none}</p></div>`;
  return html`<ul class="cards">${courses.map(
    ({ kind, title, href, state }) => html`<li class="card settled">
<p class="settled-title"><a href="${href}">${othersText(title, 140)}</a></p>
<p class="settled-state">${pill(t(`groups.kind.${kind}`))} ${state !== undefined && pill(t(`groups.state.${state}`), state === 'cancelled' ? 'off' : 'good')}</p>
</li>`,
  )}</ul>`;
}

/** A group's past decisions and plans, latest first. Read-only. */
export function groupSettledPage(
  frame: Frame,
  { group, courses }: { group: Pick<Group, 'handle' | 'name'>; courses: readonly Course[] | undefined },
): string {
  const { href, words } = toGroup(group);
  const main = html`<p class="back"><a href="${href}">${words}</a></p>
<h1>${t('groups.past')}</h1>
${courses === undefined ? notShown : courseList(courses, t('groups.past-none'))}`;
  return page(frame, { title: t('groups.past'), main, here: 'groups', narrow: true });
}

const notShown = html`<div class="card"><p class="soft">${t('common.not-shown')}</p></div>`;

function postSection(frame: Frame, model: GroupPage): Html {
  const { group, part, posts, olderPosts, postLength, attempt, text, errors = {} } = model;
  const { handle, archived } = group;
  return html`<section aria-labelledby="posts">
<h2 id="posts">${part === undefined ? t('groups.posts') : t('groups.posts-older')}</h2>
${
  part === undefined &&
  // A refused text stays in the form, so that it can be copied.
  (!archived || text !== undefined) &&
  html`<div class="card">${form(
    frame,
    { action: paths.group(handle), carried: { attempt } },
    html`${textArea({
      name: 'text',
      label: t('groups.post-label'),
      value: text,
      maxLength: postLength,
      hint: t('groups.post-hint'),
      error: errors.text,
    })}
<div class="actions">${button(t('groups.post-button'))}</div>`,
  )}</div>`
}
${
  posts === undefined
    ? notShown
    : posts.length === 0
      ? html`<div class="card"><p class="soft">${part === undefined ? t('groups.posts-none') : t('groups.posts-none-older')}</p></div>`
      : html`<ul class="cards">${posts.map((post) => postCard(frame, handle, post))}</ul>`
}
${olderPosts !== undefined && html`<p class="actions"><a class="quiet-link" href="${next(handle, 'older', olderPosts)}">${t('groups.posts-older')}</a></p>`}
</section>`;
}

function next(handle: string, name: 'members' | 'older', cursor: string): string {
  return `${paths.group(handle)}?${new URLSearchParams({ [name]: cursor })}`;
}

function postCard(frame: Frame, handle: string, post: GroupPost): Html {
  const { id, from, fromName, byAi, isViewers, text, atMs, isDay, answers } = post;
  const when = isDay ? day(frame, atMs) : moment(frame, atMs);
  const marks = html`${byAi && pill(t('groups.post-by-ai'))} ${isViewers && pill(t('common.you'), 'good')}`;
  return html`<li class="card" id="${id}">
${who(fromName, html`<bdi class="address">${plainText(from, 80)}</bdi> · ${when}`, marks)}
${answers !== undefined && html`<p class="soft">${t('groups.reply-to', { link: around((inside) => html`<a href="#${answers.id}">${inside}</a>`), name: othersText(answers.name) })}</p>`}
${text === '' ? html`<p class="soft">${t('groups.post-removed')}</p>` : html`<div class="quote">${othersLines(text)}</div>`}
${
  !isViewers &&
  text !== '' &&
  html`<p class="actions"><a class="quiet-link" href="${paths.reportPost(handle, id)}">${t('groups.report-post', { unseen, name: othersText(fromName) })}</a></p>`
}
</li>`;
}

function memberSection(frame: Frame, { group, part, members, moreMembers }: GroupPage): Html {
  return html`<section class="card" aria-labelledby="members">
<h2 id="members">${part === undefined ? t('groups.members') : t('groups.members-more')}</h2>
${
  members === undefined
    ? html`<p class="soft">${t('common.not-shown')}</p>`
    : html`<ul class="log">${members.map((member) => memberRow(frame, group, member))}</ul>`
}
${moreMembers !== undefined && html`<p class="actions"><a class="quiet-link" href="${next(group.handle, 'members', moreMembers)}">${t('groups.members-more')}</a></p>`}
</section>`;
}

function memberRow(frame: Frame, group: Group, member: GroupMember): Html {
  const { name, address, role, isViewer, isGuest, joinedAtMs } = member;
  return html`<li><span class="log-words break">${othersText(name)} <bdi class="address soft">${plainText(address, 80)}</bdi> ${role === 'organizer' && rolePill(role)} ${isGuest && pill(t('common.guest'))} ${isViewer && pill(t('common.you'), 'good')}</span>
<span class="log-time">${t('groups.joined', { day: day(frame, joinedAtMs) })}</span>
${group.role === 'organizer' && memberActs(frame, group, member)}</li>`;
}

export interface LeaveGroup extends Pick<Group, 'handle' | 'name' | 'archived'> {
  /** Whether leaving archives the group. */
  isLastOrganizer: boolean;
  refused?: Piece | undefined;
  errors?: Errors<'archive'>;
}

/** Asks for confirmation. Form: `archive` (yes, from the last organizer) to paths.leaveGroup(handle). */
export function leaveGroupPage(frame: Frame, model: LeaveGroup): string {
  const { handle, name, archived, isLastOrganizer, refused, errors = {} } = model;
  const archives = isLastOrganizer && !archived;
  const main = html`<h1>${t('groups.leave-title', { name: othersText(name, 80) })}</h1>
${actResult({ errors, refused })}
${archives && notice('care', t('groups.leave-last'), t('groups.leave-last-more'))}
<div class="card">
<p>${t('groups.leave-lead')}</p>
${form(
  frame,
  { action: paths.leaveGroup(handle) },
  html`${
    archives &&
    ticks([
      tick({
        name: 'archive',
        id: 'archive',
        value: 'yes',
        label: t('groups.leave-archive'),
        caution: errors.archive,
        ticked: false,
      }),
    ])
  }
<div class="actions">${button(t('groups.leave-button'), { kind: 'danger' })}${linkButton(t('groups.stay'), paths.group(handle))}</div>`,
)}
</div>`;
  return page(frame, {
    title: t('groups.leave'),
    main,
    here: 'groups',
    narrow: true,
    hasErrors: hasErrors(errors),
  });
}

export interface PostReport extends ReportForm, Pick<Group, 'handle' | 'name'> {
  id: string;
}

/** Reports a post. Form as for paths.commonsReport, to paths.reportPost(handle, id). */
export function reportPostPage(
  frame: Frame,
  { id, handle, name, values = {}, errors = {} }: PostReport,
): string {
  const title = t('groups.report-title');
  const main = html`<p class="back"><a href="${paths.group(handle)}">${othersText(name, 80)}</a></p>
<h1>${title}</h1>
${errorSummary(errors)}
<div class="card">
<p>${t('groups.report-lead', { home: frame.home })}</p>
${reportForm(frame, paths.reportPost(handle, id), { values, errors })}
</div>`;
  return page(frame, { title, main, here: 'groups', narrow: true, hasErrors: hasErrors(errors) });
}
