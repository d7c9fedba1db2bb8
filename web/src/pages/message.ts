import { linkButton } from '../components/form.ts';
import { notice, type Tone } from '../components/notice.ts';
import { textArea } from '../components/text-area.ts';
import { type Frame, homeLink, page } from '../frame.ts';
import { html, type Piece } from '../html.ts';
import { paths } from '../paths.ts';

export interface Message {
  title: string;
  /** One sentence, two at most: what happened and what to do. */
  words: Piece;
  link?: { words: string; href: string } | undefined;
  /** Below the sentence. */
  more?: Piece;
  tone?: Tone;
}

/** A page that says one thing. */
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
    title: 'There is nothing here',
    words: 'This page does not exist, or it is not for you. If you followed a link, ask for it again.',
    link: homeLink(frame),
  });
}

/** After too many tries, of whatever it was. */
export function tooManyPage(frame: Frame, { retryAfterSeconds }: { retryAfterSeconds: number }): string {
  return messagePage(frame, {
    title: 'Too many tries',
    words: `That was tried too often, by you or by others in the network that you are in, so it rests now. Please try again in ${waitWords(retryAfterSeconds)}.`,
    tone: 'care',
  });
}

/** The form was too old, or came from another page. @param typed the words in it, for whoever wrote them to take along */
export function formExpiredPage(
  frame: Frame,
  { back, typed }: { back: string; typed?: string | undefined },
): string {
  return messagePage(frame, {
    title: 'This form has grown old',
    words: 'Nothing was changed. Open the page again and repeat what you did.',
    more:
      typed !== undefined &&
      textArea({ name: 'typed', label: 'What you wrote: copy it before you go on', value: typed, rows: 6 }),
    link: { words: 'Open the page again', href: back },
    tone: 'care',
  });
}

/** Our own fault, with what the operator finds it by. */
export function failedPage(frame: Frame, { requestId }: { requestId?: string | undefined }): string {
  return messagePage(frame, {
    title: 'Something went wrong here',
    words: html`It was not you. Please try again in a minute.${
      requestId !== undefined &&
      html` If it stays, tell whoever runs this home the number <code>${requestId}</code>.`
    }`,
    tone: 'bad',
  });
}

export function signedOutPage(frame: Frame): string {
  return messagePage(frame, {
    title: 'You are signed out',
    words: 'No person can act as you from this browser any more.',
    link: { words: 'Sign in again', href: paths.signIn },
    tone: 'good',
  });
}

function waitWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} seconds`;
  if (seconds < 90 * 60) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3600)} hours`;
}
