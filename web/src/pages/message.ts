import { type Text, t } from '@hearth/i18n';
import { linkButton } from '../components/form.ts';
import { notice, type Tone } from '../components/notice.ts';
import { textArea } from '../components/text-area.ts';
import { type Frame, homeLink, page } from '../frame.ts';
import { html, type Piece, type Words } from '../html.ts';
import { paths } from '../paths.ts';

export interface Message {
  title: Words;
  /** One or two sentences: what happened and what to do. */
  words: Piece;
  link?: { words: Words; href: string } | undefined;
  /** Below the sentence. */
  more?: Piece;
  tone?: Tone;
}

/** A page with a single message. */
export function messagePage(frame: Frame, { title, words, more, link, tone }: Message): string {
  const main = html`<h1>${title}</h1>
<div class="card">
${tone === undefined ? html`<p>${words}</p>` : notice(tone, words)}
${more}
${link && html`<p class="actions">${linkButton(link.words, link.href)}</p>`}
</div>`;
  return page(frame, { title, main, narrow: true });
}

export function notFoundPage(frame: Frame): string {
  return messagePage(frame, {
    title: t('common.not-found'),
    words: t('common.not-found-more'),
    link: homeLink(frame),
  });
}

/** For any exceeded limit. */
export function tooManyPage(frame: Frame, { retryAfterSeconds }: { retryAfterSeconds: number }): string {
  return messagePage(frame, {
    title: t('common.too-many'),
    words: waitWords(retryAfterSeconds),
    tone: 'care',
  });
}

/** The form expired, or came from another page. @param typed its text, so that the person can copy it */
export function formExpiredPage(
  frame: Frame,
  { back, typed }: { back: string; typed?: string | undefined },
): string {
  return messagePage(frame, {
    title: t('common.form-expired'),
    words: t('common.form-expired-more'),
    more:
      typed !== undefined &&
      textArea({ name: 'typed', label: t('common.form-expired-typed'), value: typed, rows: 6 }),
    link: { words: t('common.open-again'), href: back },
    tone: 'care',
  });
}

/** An internal error, with the id by which the operator finds it. */
export function failedPage(frame: Frame, { requestId }: { requestId?: string | undefined }): string {
  return messagePage(frame, {
    title: t('common.went-wrong'),
    words:
      requestId === undefined
        ? t('common.went-wrong-more')
        : t('common.went-wrong-number', { number: html`<code>${requestId}</code>` }),
    tone: 'bad',
  });
}

export function signedOutPage(frame: Frame): string {
  return messagePage(frame, {
    title: t('common.signed-out'),
    words: t('common.signed-out-more'),
    link: { words: t('common.sign-in-again'), href: paths.signIn },
    tone: 'good',
  });
}

function waitWords(seconds: number): Text {
  if (seconds < 90) return t('common.too-many-seconds', { count: Math.max(1, Math.ceil(seconds)) });
  if (seconds < 90 * 60) return t('common.too-many-minutes', { count: Math.ceil(seconds / 60) });
  return t('common.too-many-hours', { count: Math.ceil(seconds / 3600) });
}
