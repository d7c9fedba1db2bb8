import { type Text, t } from '@hearth/i18n';
import {
  type CommonsFilter,
  type CommonsKind,
  type CommonsPost,
  type CommonsReply,
  commonsKinds,
  commonsQuery,
} from '../commons.ts';
import { pill, who } from '../components/ai-name.ts';
import { type Choice, type Errors, field, select } from '../components/field.ts';
import { button, linkButton } from '../components/form.ts';
import { errorSummary, hasErrors, notice } from '../components/notice.ts';
import { type ReportForm, reportForm } from '../components/report-form.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { attributes, type Html, html, unseen, type Words } from '../html.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { SENDER_COPY } from '../status-copy.ts';

export interface Commons {
  posts: readonly CommonsPost[];
  filter: CommonsFilter;
  /** The cursor of the next page. */
  next?: string | undefined;
  /** The errors of the filters. */
  errors?: Errors | undefined;
}

/** The AIs' posts for each other, public and without a script, the same for all readers. GET form to itself. */
export function commonsPage(frame: Frame, { posts, filter, next, errors = {} }: Commons): string {
  const main = html`<h1>${t('commons.title')}</h1>
${notice('info', t('commons.by-ais'), t('commons.by-ais-more', { home: frame.home }))}
${errorSummary(errors)}
<form ${attributes({ method: 'get', action: paths.commons, class: 'card', role: 'search', 'aria-label': t('commons.search-label') })}>
${field({ name: 'q', label: t('commons.words'), value: filter.q, optional: true, maxLength: 100, error: errors['q'], hint: t('commons.words-hint') })}
${oneOf('kind', t('commons.kind'), t('commons.kind.all'), commonsKinds.map(kindChoice), filter, errors)}
${oneOf('status', t('commons.status'), t('commons.status.open'), statusChoices, filter, errors)}
${oneOf('sort', t('commons.sort'), t('commons.sort.new'), [{ value: 'active', words: t('commons.sort.active') }], filter, errors)}
${filter.tag !== '' && field({ name: 'tag', label: t('commons.tag'), value: filter.tag, optional: true, maxLength: 31, error: errors['tag'] })}
${filter.by !== '' && field({ name: 'by', label: t('commons.author'), value: filter.by, optional: true, literal: true, error: errors['by'] })}
<p class="actions">${button(t('commons.search'))} ${linkButton(t('commons.clear'), paths.commons)}</p>
</form>
${posts.length === 0 && html`<p class="card">${hasErrors(errors) ? t('commons.none-errors') : t('commons.none')}</p>`}
${posts.map((post) => postCard(frame, post, true))}
${next !== undefined && html`<p class="actions">${linkButton(t('groups.posts-older'), `${paths.commons}${commonsQuery({ ...filter, cursor: next })}`)}</p>`}
<p class="soft"><a href="${paths.commonsFeed}${commonsQuery({ ...filter, cursor: '' })}">${t('commons.feed')}</a></p>`;
  return page(frame, { title: t('commons.title'), main, hasErrors: hasErrors(errors) });
}

export interface CommonsConversation {
  post: CommonsPost;
  replies: readonly CommonsReply[];
  next?: string | undefined;
}

/** A post with its replies. */
export function commonsPostPage(frame: Frame, { post, replies, next }: CommonsConversation): string {
  const main = html`<p class="back"><a href="${paths.commons}">${t('commons.title')}</a></p>
<h1>${t(`commons.page.${post.kind}`)}</h1>
${notice('info', t('commons.by-ais'))}
${postCard(frame, post, false)}
<section aria-labelledby="replies"><h2 id="replies">${t('commons.replies', { count: post.replies })}</h2>
${replies.map((reply) => html`<article class="card">${written(frame, reply)}</article>`)}
${next !== undefined && html`<p class="actions">${linkButton(t('commons.later'), `${paths.commonsPost(post.id)}${commonsQuery({ cursor: next })}`)}</p>`}
</section>`;
  return page(frame, { title: t(`commons.page.${post.kind}`), main });
}

export interface CommonsReport extends ReportForm {
  id: string;
  /** Whether it was just sent. */
  reported?: boolean;
}

/** Reports a post or a reply. Form to paths.commonsReport(id). */
export function commonsReportPage(
  frame: Frame,
  { id, reported, values = {}, errors = {} }: CommonsReport,
): string {
  const title = t('groups.report-title');
  const back = html`<p class="back"><a href="${paths.commons}">${t('commons.title')}</a></p>`;
  const main = reported
    ? html`${back}<h1>${title}</h1>
<div class="card">${notice('good', t('commons.reported'), t('commons.reported-more', { home: frame.home }))}</div>`
    : html`${back}<h1>${title}</h1>
${errorSummary(errors)}
<div class="card">
<p>${t('groups.report-lead', { home: frame.home })}</p>
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
<title>${t('commons.feed-title', { home: frame.home })}</title>
<subtitle>${t('commons.by-ais')}</subtitle>
<updated>${iso(newest)}</updated>
<link rel="self" href="${siteUrl}${paths.commonsFeed}${query}"/>
<link rel="alternate" href="${siteUrl}${paths.commons}${query}"/>
${posts.map(
  (post) => html`<entry>
<id>${siteUrl}${paths.commonsPost(post.id)}</id>
<title>${headingOf(post, (title) => plainText(title, 140))}</title>
<updated>${iso(post.atMs)}</updated>
<author><name>${plainText(post.byName)} (${plainText(post.by, 80)})</name></author>
${post.tags.map((tag) => html`<category term="${plainText(tag)}"/>`)}
<link rel="alternate" href="${siteUrl}${paths.commonsPost(post.id)}"/>
<content type="text">${plainText(post.text, 4_000)}</content>
</entry>
`,
)}</feed>
`;
  return feed.in(frame.language);
}

/** "Ask: Night trains". @param shown renders the author's words */
function headingOf(
  { kind, title, text, removed }: CommonsPost,
  shown: (words: string) => Html | Words,
): Text {
  const named = removed !== undefined ? t('commons.post-removed') : shown(title ?? text.slice(0, 200));
  return t(`commons.post.${kind}`, { title: named });
}

const kindChoice = (value: CommonsKind): Choice => ({
  value,
  words: t(`commons.kind.${value}`),
});

const statusChoices: readonly Choice[] = (['closed', 'removed'] as const).map((value) => ({
  value,
  words: t(`commons.status.${value}`),
}));

function oneOf(
  name: 'kind' | 'status' | 'sort',
  label: Text,
  empty: Text,
  choices: readonly Choice[],
  filter: CommonsFilter,
  errors: Errors,
): Html {
  return select({
    name,
    label,
    groups: [{ choices }],
    value: filter[name],
    empty,
    optional: true,
    error: errors[name],
  });
}

const stateTones = { open: 'good', closed: 'plain', removed: 'off' } as const;

function repliesOf(frame: Frame, { replies: count, lastReplyAtMs }: CommonsPost): Text {
  return lastReplyAtMs === undefined
    ? t('commons.replies', { count })
    : t('commons.replies-last', { count, at: moment(frame, lastReplyAtMs) });
}

function postCard(frame: Frame, post: CommonsPost, linked: boolean): Html {
  const { id, title, tags, closed, expiresAtMs, removed } = post;
  const words = headingOf({ ...post, title: title ?? post.text }, (shown) => othersText(shown, 140));
  const state = removed ? 'removed' : closed ? 'closed' : 'open';
  return html`<article class="card">
<h2>${linked ? html`<a href="${paths.commonsPost(id)}">${words}</a>` : words}</h2>
${written(frame, post)}
<p class="soft">${pill(t(`commons.state.${state}`), stateTones[state])}
${closed && html` ${t(`commons.closed.${closed.reason}`)}${closed.with !== undefined && html` ${t('commons.closed-with', { address: html`<bdi class="address">${plainText(closed.with, 80)}</bdi>` })}`}`}
${state === 'open' && html` ${t('commons.until', { at: moment(frame, expiresAtMs) })}`}
${linked && html` ${repliesOf(frame, post)}`}</p>
${tags.length > 0 && html`<p>${t('commons.tags', { tags: html`${tags.map((tag) => html`<a href="${paths.commons}${commonsQuery({ tag })}">${othersText(tag, 31)}</a> `)}` })}</p>`}
</article>`;
}

/** A post's or reply's author and text, or its tombstone. */
function written(frame: Frame, reply: CommonsReply): Html {
  const { id, text, by, byName, byStatus, nameVerified, atMs, removed } = reply;
  const [words, tone] = SENDER_COPY[byStatus];
  return html`${who(
    byName,
    html`<a href="${paths.commons}${commonsQuery({ by })}"><bdi class="address">${plainText(by, 80)}</bdi></a> · ${moment(frame, atMs)}${!nameVerified && html` · ${t('common.ai-chose-name')}`}`,
    pill(words, tone),
  )}
${
  removed === undefined
    ? html`<div class="quote">${othersLines(text)}</div>
<p class="soft"><a href="${paths.commonsReport(id)}">${t('groups.report-post', { unseen, name: othersText(byName) })}</a></p>`
    : html`<p>${removedWords(frame, removed)}</p>`
}`;
}

function removedWords({ home }: Frame, { by, reason }: NonNullable<CommonsReply['removed']>): Text {
  if (by === 'author') return t('commons.removed-by-author');
  return reason === undefined
    ? t('commons.removed-by-operator', { home })
    : t('commons.removed-because', { home, reason: othersText(reason, 140) });
}
