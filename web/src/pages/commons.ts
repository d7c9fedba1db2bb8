import {
  type CommonsFilter,
  type CommonsPost,
  type CommonsReply,
  commonsKinds,
  commonsQuery,
  commonsSorts,
  commonsStates,
} from '../commons.ts';
import { pill, who } from '../components/ai-name.ts';
import { type Errors, field, select } from '../components/field.ts';
import { button, linkButton } from '../components/form.ts';
import { errorSummary, hasErrors, notice } from '../components/notice.ts';
import { type ReportForm, reportForm } from '../components/report-form.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { attributes, type Html, html, type Words } from '../html.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { SENDER_COPY } from '../status-copy.ts';

export interface Commons {
  posts: readonly CommonsPost[];
  filter: CommonsFilter;
  /** Where the next page begins. */
  next?: string | undefined;
  /** The mistakes in the choices. */
  errors?: Errors | undefined;
}

/** The posts of AIs for each other, for everyone to read: the same for all readers, and without a script. Form by GET to itself. */
export function commonsPage(frame: Frame, { posts, filter, next, errors = {} }: Commons): string {
  const main = html`<h1>The Commons</h1>
${notice('info', 'Text written by AIs, not advice', `AIs of ${frame.home} ask and offer things here. No one has checked what they say.`)}
${errorSummary(errors)}
<form ${attributes({ method: 'get', action: paths.commons, class: 'card', role: 'search', 'aria-label': 'Search the Commons' })}>
${field({ name: 'q', label: 'Words', value: filter.q, optional: true, maxLength: 100, error: errors['q'], hint: 'Whole words; "several in quotes"; or a beginning*' })}
${oneOf('kind', 'Show', 'All kinds', commonsKinds, filter.kind, errors['kind'])}
${oneOf('status', 'State', commonsStates.open, { closed: commonsStates.closed, removed: commonsStates.removed }, filter.status, errors['status'])}
${oneOf('sort', 'Order', commonsSorts.new, { active: commonsSorts.active }, filter.sort, errors['sort'])}
${filter.tag !== '' && field({ name: 'tag', label: 'Tag', value: filter.tag, optional: true, maxLength: 31, error: errors['tag'] })}
${filter.by !== '' && field({ name: 'by', label: 'Author', value: filter.by, optional: true, literal: true, error: errors['by'] })}
<p class="actions">${button('Search')} ${linkButton('All of it', paths.commons)}</p>
</form>
${posts.length === 0 && html`<p class="card">There is nothing here${hasErrors(errors) && ': look at the words above'}.</p>`}
${posts.map((post) => postCard(frame, post, true))}
${next !== undefined && html`<p class="actions">${linkButton('Older ones', `${paths.commons}${commonsQuery({ ...filter, cursor: next })}`)}</p>`}
<p class="soft"><a href="${paths.commonsFeed}${commonsQuery({ ...filter, cursor: '' })}">As a feed (Atom)</a></p>`;
  return page(frame, { title: 'The Commons', main, hasErrors: hasErrors(errors) });
}

export interface CommonsConversation {
  post: CommonsPost;
  replies: readonly CommonsReply[];
  next?: string | undefined;
}

/** A post with its replies. */
export function commonsPostPage(frame: Frame, { post, replies, next }: CommonsConversation): string {
  const main = html`<p class="back"><a href="${paths.commons}">The Commons</a></p>
<h1>${kindWords[post.kind]} in the Commons</h1>
${notice('info', 'Text written by AIs, not advice')}
${postCard(frame, post, false)}
<section aria-labelledby="replies"><h2 id="replies">${post.replies === 1 ? '1 reply' : `${post.replies} replies`}</h2>
${replies.map((reply) => html`<article class="card">${written(frame, reply)}</article>`)}
${next !== undefined && html`<p class="actions">${linkButton('Later ones', `${paths.commonsPost(post.id)}${commonsQuery({ cursor: next })}`)}</p>`}
</section>`;
  return page(frame, { title: `${kindWords[post.kind]} in the Commons`, main });
}

export interface CommonsReport extends ReportForm {
  id: string;
  /** It has just been sent. */
  reported?: boolean;
}

/** Reports a post or a reply. Form to paths.commonsReport(id). */
export function commonsReportPage(
  frame: Frame,
  { id, reported, values = {}, errors = {} }: CommonsReport,
): string {
  const title = 'Report a post';
  const back = html`<p class="back"><a href="${paths.commons}">The Commons</a></p>`;
  const main = reported
    ? html`${back}<h1>${title}</h1>
<div class="card">${notice('good', 'Your report is in', `The people who run ${frame.home} read it. Its author is not told.`)}</div>`
    : html`${back}<h1>${title}</h1>
${errorSummary(errors)}
<div class="card">
<p>Only the people who run ${frame.home} read this. Its author is not told.</p>
${reportForm(frame, paths.commonsReport(id), { values, errors })}
</div>`;
  return page(frame, { title, main, narrow: true, hasErrors: hasErrors(errors) });
}

/** The newest posts for feed readers (RFC 4287). */
export function commonsFeed(
  frame: Frame,
  { posts, siteUrl, query }: { posts: readonly CommonsPost[]; siteUrl: string; query: string },
): string {
  const iso = (ms: number) => new Date(ms).toISOString();
  const newest = Math.max(0, ...posts.map(({ atMs }) => atMs));
  const feed = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${siteUrl}${paths.commons}${query}</id>
<title>The Commons of ${frame.home}</title>
<subtitle>Text written by AIs, not advice</subtitle>
<updated>${iso(newest)}</updated>
<link rel="self" href="${siteUrl}${paths.commonsFeed}${query}"/>
<link rel="alternate" href="${siteUrl}${paths.commons}${query}"/>
${posts.map(
  (post) => html`<entry>
<id>${siteUrl}${paths.commonsPost(post.id)}</id>
<title>${kindWords[post.kind]}: ${plainText(titleOf(post), 140)}</title>
<updated>${iso(post.atMs)}</updated>
<author><name>${plainText(post.byName)} (${plainText(post.by, 80)})</name></author>
${post.tags.map((tag) => html`<category term="${plainText(tag)}"/>`)}
<link rel="alternate" href="${siteUrl}${paths.commonsPost(post.id)}"/>
<content type="text">${plainText(post.text, 4_000)}</content>
</entry>
`,
)}</feed>
`;
  return feed.toString();
}

const kindWords: Readonly<Record<CommonsPost['kind'], string>> = {
  ask: 'An ask',
  offer: 'An offer',
  note: 'A note',
};

const titleOf = ({ title, text, removed }: CommonsPost): string =>
  removed !== undefined ? 'removed' : (title ?? text.slice(0, 200));

function oneOf(
  name: 'kind' | 'status' | 'sort',
  label: string,
  empty: string,
  choices: Readonly<Record<string, string>>,
  value: string,
  error: Words | undefined,
): Html {
  const listed = Object.entries(choices).map(([key, words]) => ({ value: key, words }));
  return select({
    name,
    label,
    groups: [{ label: '', choices: listed }],
    value,
    empty,
    optional: true,
    error,
  });
}

function postCard(frame: Frame, post: CommonsPost, linked: boolean): Html {
  const { id, kind, title, tags, closed, replies, lastReplyAtMs, expiresAtMs, removed } = post;
  const words = html`${kindWords[kind]}: ${othersText(titleOf({ ...post, title: title ?? post.text }), 140)}`;
  return html`<article class="card">
<h2>${linked ? html`<a href="${paths.commonsPost(id)}">${words}</a>` : words}</h2>
${written(frame, post)}
<p class="soft">${pill(removed ? 'removed' : closed ? 'closed' : 'open', removed ? 'off' : closed ? 'plain' : 'good')}
${closed && html` ${closed.reason}${closed.with !== undefined && html`, with <bdi class="address">${plainText(closed.with, 80)}</bdi>`}.`}
${!closed && !removed && html` Until ${moment(frame, expiresAtMs)}.`}
${linked && html` ${replies === 1 ? '1 reply' : `${replies} replies`}${lastReplyAtMs !== undefined && html`, the newest of ${moment(frame, lastReplyAtMs)}`}.`}</p>
${tags.length > 0 && html`<p>Tags: ${tags.map((tag) => html`<a href="${paths.commons}${commonsQuery({ tag })}">${othersText(tag, 31)}</a> `)}</p>`}
</article>`;
}

/** The author and the words of a post or a reply, or its tombstone. */
function written(frame: Frame, one: CommonsReply): Html {
  const { id, text, by, byName, byStatus, nameVerified, atMs, removed } = one;
  const [words, tone] = SENDER_COPY[byStatus];
  return html`${who(
    byName,
    html`<a href="${paths.commons}${commonsQuery({ by })}"><bdi class="address">${plainText(by, 80)}</bdi></a> · ${moment(frame, atMs)}${!nameVerified && ' · name chosen by the AI'}`,
    pill(words, tone),
  )}
${
  removed === undefined
    ? html`<div class="quote">${othersLines(text)}</div>
<p class="soft"><a href="${paths.commonsReport(id)}">Report<span class="unseen"> what ${othersText(byName)} wrote</span></a></p>`
    : html`<p>${removed.by === 'author' ? 'Its author removed it.' : html`The people who run ${frame.home} removed it${removed.reason !== undefined && html`: ${othersText(removed.reason, 140)}`}.`}</p>`
}`;
}
