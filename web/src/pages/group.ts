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
import { type Html, html, type Piece, type Words } from '../html.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { type GroupAges, type GroupRole, rolePill } from './groups.ts';

export interface GroupMember {
  /** By which the viewer knows them. */
  id: string;
  name: string;
  /** An id in its place where the viewer may not see who they are. */
  address: string;
  role: GroupRole;
  isViewer: boolean;
  isGuest: boolean;
  isAdult: boolean;
  /** The other home where they live. */
  home?: string | undefined;
  joinedAtMs: number;
}

export interface GroupPost {
  id: string;
  /** Address, or the id by which the viewer knows a person under 18. */
  from: string;
  fromName: string;
  byAi: boolean;
  isViewers: boolean;
  /** Empty when it was taken down. */
  text: string;
  atMs: number;
  /** The time is told to the day. */
  isDay: boolean;
  /** The author of the post that it answers, where that stands on the same page. */
  answers?: { id: string; name: string } | undefined;
}

/** A decision or a plan. */
export interface Course {
  kind: 'decision' | 'plan';
  title: string;
  href: string;
  /** How it ended; absent of one that is open. */
  state?: keyof typeof stateWords | undefined;
}

export interface Group {
  name: string;
  /** Without the &. */
  handle: string;
  role: GroupRole;
  archived: boolean;
  /** It is archived for good: its end has come. */
  ended?: boolean | undefined;
  endsAtMs?: number | undefined;
  minors: GroupAges;
  /** With minors=teens. */
  consentAge?: number | undefined;
  hasMinors: boolean;
}

export interface GroupPage {
  group: Group;
  /** Shown alone, where one came for its next page. */
  part?: 'members' | 'posts' | undefined;
  /** The organizers and members in the order of the API; undefined when they could not be found out, as all lists here. */
  members: readonly GroupMember[] | undefined;
  moreMembers?: string | undefined;
  /** Newest first. */
  posts: readonly GroupPost[] | undefined;
  olderPosts?: string | undefined;
  open: readonly Course[] | undefined;
  /** The kinds that its viewer may begin. */
  begins: readonly Course['kind'][];
  /** Its viewer may take the archiving back for so many days, if it was theirs. */
  restoreDays?: number | undefined;
  /** The longest post, in characters. */
  postLength: number;
  /** Which attempt a form is: sent twice, it has its effect once. */
  attempt: string;
  text?: string;
  done?: Words | undefined;
  refused?: Piece | undefined;
  errors?: Errors<'text'>;
}

/**
 * A group that one is in. Forms: `text` to paths.group(handle); nothing more to paths.restoreGroup(handle); those of `memberActs`
 * for organizers.
 */
export function groupPage(frame: Frame, model: GroupPage): string {
  const { group, part, done, refused, errors = {} } = model;
  const { handle, name, archived, ended } = group;
  const back = part === undefined ? { words: 'Your groups', href: paths.groups } : toGroup(group);
  const main = html`<p class="back"><a href="${back.href}">${back.words}</a></p>
<h1>${othersText(name, 80)}</h1>
${actResult({ errors, done, refused })}
${archived && notice('care', ended ? 'This group has ended' : 'This group is archived', `No person can join it and no member can post to it. What was posted can be read.${ended ? ' It cannot be restored.' : ''}`)}
${part === undefined && archived && model.restoreDays !== undefined && restoreCard(frame, handle, model.restoreDays)}
${part === undefined && aboutCard(frame, group)}
${part === undefined && openSection(model)}
${part !== 'members' && postSection(frame, model)}
${part !== 'posts' && memberSection(frame, model)}
${
  part === undefined &&
  html`<section class="card" aria-labelledby="leave">
<h2 id="leave">Leave the group</h2>
<p>The next page says what happens.</p>
<div class="actions">${linkButton('Leave', paths.leaveGroup(handle), 'danger')}</div>
</section>`
}`;
  return page(frame, { title: 'A group', main, here: 'groups', narrow: true, hasErrors: hasErrors(errors) });
}

const toGroup = ({ handle, name }: Pick<Group, 'handle' | 'name'>) => ({
  words: othersText(name, 80),
  href: paths.group(handle),
});

function aboutCard(frame: Frame, group: Group): Html {
  const { handle, role, archived, endsAtMs, hasMinors } = group;
  return html`<section class="card" aria-labelledby="about">
<h2 id="about">About it</h2>
<dl class="facts">
${fact('Address', html`<span class="address">&${handle}</span>`)}
${fact('You are', role)}
${fact('For', agesOf(group))}
${hasMinors && fact('Now', 'a person under 18 is in it')}
${endsAtMs !== undefined && fact('Its end', moment(frame, endsAtMs))}
</dl>
${role === 'organizer' && !archived && html`<p class="actions">${linkButton('Invites', paths.groupInvites(handle))}${linkButton('Settings', paths.groupSettings(handle))}</p>`}
</section>`;
}

function restoreCard(frame: Frame, handle: string, days: number): Html {
  return html`<section class="card" aria-labelledby="restore">
<h2 id="restore">Restore it</h2>
<p>The organizer who archived it can do this for ${days} days. What was open does not open again.</p>
${form(frame, { action: paths.restoreGroup(handle) }, html`<div class="actions">${button('Restore the group')}</div>`)}
</section>`;
}

function agesOf({ minors, consentAge = 16 }: Group): string {
  if (minors === 'no') return 'adults (18 and over)';
  const byGuardian = 'people under 18 too, once their guardian agrees';
  return minors === 'guardian' ? byGuardian : `${byGuardian}; from ${consentAge} on by their own word`;
}

function fact(name: string, words: Piece): Html {
  return html`<div><dt>${name}</dt><dd>${words}</dd></div>`;
}

function openSection({ group: { handle }, open, begins }: GroupPage): Html {
  return html`<section aria-labelledby="open">
<h2 id="open">Decisions and plans that are open</h2>
${open === undefined ? notShown : courseList(open, 'Nothing is open now.')}
<p class="actions">
${begins.includes('plan') && linkButton('Propose times', paths.newPlan(handle))}
${begins.includes('decision') && linkButton('Ask the group', paths.newDecision(handle))}
<a class="quiet-link" href="${paths.groupSettled(handle)}">What is over</a>
</p>
</section>`;
}

function courseList(courses: readonly Course[], none: string): Html {
  if (courses.length === 0) return html`<div class="card"><p class="soft">${none}</p></div>`;
  return html`<ul class="cards">${courses.map(
    ({ kind, title, href, state }) => html`<li class="card settled">
<p class="settled-title"><a href="${href}">${othersText(title, 140)}</a></p>
<p class="settled-state">${pill(kind)} ${state !== undefined && pill(stateWords[state], state === 'cancelled' ? 'off' : 'good')}</p>
</li>`,
  )}</ul>`;
}

const stateWords = { agreed: 'agreed', settled: 'settled', cancelled: 'called off' } as const;

/** The decisions and plans of a group that are over, the latest first. Nothing is changed on this page. */
export function groupSettledPage(
  frame: Frame,
  { group, courses }: { group: Pick<Group, 'handle' | 'name'>; courses: readonly Course[] | undefined },
): string {
  const { href, words } = toGroup(group);
  const main = html`<p class="back"><a href="${href}">${words}</a></p>
<h1>What is over</h1>
<p class="lead">Decisions and plans that were settled or called off.</p>
${courses === undefined ? notShown : courseList(courses, 'Nothing yet.')}`;
  return page(frame, { title: 'What is over', main, here: 'groups', narrow: true });
}

const notShown = html`<div class="card"><p class="soft">This cannot be shown at the moment.</p></div>`;

function postSection(frame: Frame, model: GroupPage): Html {
  const { group, part, posts, olderPosts, postLength, attempt, text, errors = {} } = model;
  const { handle, archived } = group;
  return html`<section aria-labelledby="posts">
<h2 id="posts">${part === undefined ? 'Posts' : 'Older posts'}</h2>
${
  part === undefined &&
  // Words that were not taken are not lost: they can be copied from the form.
  (!archived || text !== undefined) &&
  html`<div class="card">${form(
    frame,
    { action: paths.group(handle), carried: { attempt } },
    html`${textArea({
      name: 'text',
      label: 'Post to the group',
      value: text,
      maxLength: postLength,
      hint: 'Its members and their AIs read it. It cannot be taken back.',
      error: errors.text,
    })}
<div class="actions">${button('Post')}</div>`,
  )}</div>`
}
${
  posts === undefined
    ? notShown
    : posts.length === 0
      ? html`<div class="card"><p class="soft">${part === undefined ? 'Nothing has been posted yet.' : 'There is nothing older.'}</p></div>`
      : html`<ul class="cards">${posts.map((post) => postCard(frame, handle, post))}</ul>`
}
${olderPosts !== undefined && html`<p class="actions"><a class="quiet-link" href="${next(handle, 'older', olderPosts)}">Older posts</a></p>`}
</section>`;
}

function next(handle: string, name: 'members' | 'older', cursor: string): string {
  return `${paths.group(handle)}?${new URLSearchParams({ [name]: cursor })}`;
}

function postCard(frame: Frame, handle: string, post: GroupPost): Html {
  const { id, from, fromName, byAi, isViewers, text, atMs, isDay, answers } = post;
  const when = isDay ? day(frame, atMs) : moment(frame, atMs);
  const marks = html`${byAi && pill('AI')} ${isViewers && pill('you', 'good')}`;
  return html`<li class="card" id="${id}">
${who(fromName, html`<bdi class="address">${plainText(from, 80)}</bdi> · ${when}`, marks)}
${answers !== undefined && html`<p class="soft">In answer to <a href="#${answers.id}">a post of ${othersText(answers.name)}</a></p>`}
${text === '' ? html`<p class="soft">It was taken down.</p>` : html`<div class="quote">${othersLines(text)}</div>`}
${
  !isViewers &&
  text !== '' &&
  html`<p class="actions"><a class="quiet-link" href="${paths.reportPost(handle, id)}">Report it<span class="unseen">, the post of ${othersText(fromName)}</span></a></p>`
}
</li>`;
}

function memberSection(frame: Frame, { group, part, members, moreMembers }: GroupPage): Html {
  return html`<section class="card" aria-labelledby="members">
<h2 id="members">${part === undefined ? 'Members' : 'More members'}</h2>
${
  members === undefined
    ? html`<p class="soft">This cannot be shown at the moment.</p>`
    : html`<ul class="log">${members.map((member) => memberRow(frame, group, member))}</ul>`
}
${moreMembers !== undefined && html`<p class="actions"><a class="quiet-link" href="${next(group.handle, 'members', moreMembers)}">More members</a></p>`}
</section>`;
}

function memberRow(frame: Frame, group: Group, member: GroupMember): Html {
  const { name, address, role, isViewer, isGuest, joinedAtMs } = member;
  return html`<li><span class="log-words break">${othersText(name)} <bdi class="address soft">${plainText(address, 80)}</bdi> ${role === 'organizer' && rolePill(role)} ${isGuest && pill('guest')} ${isViewer && pill('you', 'good')}</span>
<span class="log-time">since ${day(frame, joinedAtMs)}</span>
${group.role === 'organizer' && memberActs(frame, group, member)}</li>`;
}

export interface LeaveGroup extends Pick<Group, 'handle' | 'name' | 'archived'> {
  /** The group is archived by it. */
  isLastOrganizer: boolean;
  refused?: Piece | undefined;
  errors?: Errors<'archive'>;
}

/** Is it meant? Form: `archive` (yes, of its last organizer) to paths.leaveGroup(handle). */
export function leaveGroupPage(frame: Frame, model: LeaveGroup): string {
  const { handle, name, archived, isLastOrganizer, refused, errors = {} } = model;
  const archives = isLastOrganizer && !archived;
  const main = html`<h1>Leave ${othersText(name, 80)}?</h1>
${actResult({ errors, refused })}
${
  archives &&
  notice(
    'care',
    'You are its last organizer: the group is archived when you leave',
    'No person can join it and no member can post to it then, what is open in it ends, and no organizer can restore it. Make another adult an organizer first if it shall go on: the page of the group does that, at its members.',
  )
}
<div class="card">
<p>You see the group no more, and come back by an invite alone. What you posted stays there.</p>
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
        label: 'Archive the group when I leave',
        caution: errors.archive,
        ticked: false,
      }),
    ])
  }
<div class="actions">${button('Leave', { kind: 'danger' })}${linkButton('Stay', paths.group(handle))}</div>`,
)}
</div>`;
  return page(frame, {
    title: 'Leave a group?',
    main,
    here: 'groups',
    narrow: true,
    hasErrors: hasErrors(errors),
  });
}

export interface PostReport extends ReportForm, Pick<Group, 'handle' | 'name'> {
  id: string;
}

/** Reports a post. Form: as paths.commonsReport, to paths.reportPost(handle, id). */
export function reportPostPage(
  frame: Frame,
  { id, handle, name, values = {}, errors = {} }: PostReport,
): string {
  const title = 'Report a post';
  const main = html`<p class="back"><a href="${paths.group(handle)}">${othersText(name, 80)}</a></p>
<h1>${title}</h1>
${errorSummary(errors)}
<div class="card">
<p>Only the people who run ${frame.home} read this. Its author is not told.</p>
${reportForm(frame, paths.reportPost(handle, id), { values, errors })}
</div>`;
  return page(frame, { title, main, here: 'groups', narrow: true, hasErrors: hasErrors(errors) });
}
