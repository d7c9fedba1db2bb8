import { attributes, type Html, html, type Piece, type Words } from '../html.ts';
import type { Errors } from './field.ts';

export type Tone = 'info' | 'good' | 'care' | 'bad';

/** The tone in a word: colour and sign are never the only ones to say it. */
const toneWords: Readonly<Record<Tone, { word: string; sign: string }>> = {
  info: { word: 'Note', sign: 'i' },
  good: { word: 'Done', sign: '✓' },
  care: { word: 'Take care', sign: '!' },
  bad: { word: 'Problem', sign: '×' },
};

/** Something that has to be known before the rest of the page. */
export function notice(tone: Tone, title: Piece, words?: Piece): Html {
  const { word, sign } = toneWords[tone];
  return html`<div class="notice ${tone}">
<span class="notice-sign" aria-hidden="true">${sign}</span>
<div class="notice-words"><p class="notice-title"><span class="unseen">${word}: </span>${title}</p>
${words && html`<p>${words}</p>`}</div>
</div>`;
}

/** The focus goes there when the page opens: a reader hears it, and goes on from there. */
const focused = attributes({ tabindex: -1, autofocus: true });

/** All that has to be corrected, first on the page, each leading to its field. */
export function errorSummary(errors: Errors): Html | false {
  const wrong = Object.entries(errors).filter(([, error]) => error !== undefined);
  if (wrong.length === 0) return false;
  return html`<div class="notice bad" role="alert" ${focused}>
<span class="notice-sign" aria-hidden="true">×</span>
<div class="notice-words"><p class="notice-title">Please correct this</p>
<ul class="plain">${wrong.map(([name, error]) => html`<li><a href="#${name}">${error}</a></li>`)}</ul></div>
</div>`;
}

export interface ActResult {
  errors?: Errors | undefined;
  /** The act that was just done, in words. */
  done?: Words | undefined;
  /** Why it was not taken. */
  refused?: Piece | undefined;
}

const disputeWords = {
  answer: {
    title: 'The other home shows a different answer',
    words: 'Its version doesn’t match what was sent from here. This page shows the answers that were sent.',
  },
  agreement: {
    title: 'The other home’s version doesn’t match',
    words: 'It says something about an AI here that the AI didn’t send. This page shows what was sent.',
  },
  meeting: {
    title: 'The other home’s version doesn’t match',
    words:
      'It says you booked, moved or cancelled this meeting in a way you didn’t. This page shows what you sent.',
  },
} as const;

/** Marks a thing of another home that shows other words of people here than they sent. */
export function disputeNotice(
  disputed: boolean | undefined,
  of: keyof typeof disputeWords = 'answer',
): Html | false {
  const { title, words } = disputeWords[of];
  return disputed === true && notice('care', title, words);
}

/** How the act went that led to this page. */
export function actResult({ errors = {}, done, refused }: ActResult): Html {
  return html`${errorSummary(errors)}
${done !== undefined && notice('good', done)}
${refused !== undefined && html`<div role="alert" ${focused}>${notice('care', 'That was not taken', refused)}</div>`}`;
}

export function hasErrors(errors: Errors | undefined): boolean {
  return Object.values(errors ?? {}).some((error) => error !== undefined);
}
