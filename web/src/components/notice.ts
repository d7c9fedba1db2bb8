import { t } from '@hearth/i18n';
import { attributes, type Html, html, type Piece, type Words } from '../html.ts';
import type { Errors } from './field.ts';

export type Tone = 'info' | 'good' | 'care' | 'bad';

const signs: Readonly<Record<Tone, string>> = { info: 'i', good: '✓', care: '!', bad: '×' };

/**
 * Something to know before reading the page. Its title makes sense without its colour and sign; if the reader
 * must take care, screen readers announce that first.
 */
export function notice(tone: Tone, title: Piece, words?: Piece): Html {
  return html`<div class="notice ${tone}">
<span class="notice-sign" aria-hidden="true">${signs[tone]}</span>
<div class="notice-words"><p class="notice-title">${tone === 'care' && html`<span class="unseen">${t('common.important')} </span>`}${title}</p>
${words && html`<p>${words}</p>`}</div>
</div>`;
}

/** Takes the focus when the page opens, so that screen readers start there. */
const focused = attributes({ tabindex: -1, autofocus: true });

/** The form's errors at the top of the page, each linked to its field. */
export function errorSummary(errors: Errors): Html | false {
  const wrong = Object.entries(errors).filter(([, error]) => error !== undefined);
  if (wrong.length === 0) return false;
  return html`<div class="notice bad" role="alert" ${focused}>
<span class="notice-sign" aria-hidden="true">×</span>
<div class="notice-words"><p class="notice-title">${t('common.errors')}</p>
<ul class="plain">${wrong.map(([name, error]) => html`<li><a href="#${name}">${error}</a></li>`)}</ul></div>
</div>`;
}

export interface ActResult {
  errors?: Errors | undefined;
  /** The notice of the act that was just done. */
  done?: Words | undefined;
  /** The outcome of an act that failed, or is still pending. */
  outcome?: Words | undefined;
  /** The reason of a refusal. */
  refused?: Piece | undefined;
}

/** Warns that a remote home shows other answers from people here than they sent. */
export function disputeNotice(
  disputed: boolean | undefined,
  of: 'answer' | 'agreement' | 'meeting' = 'answer',
): Html | false {
  return disputed === true && notice('care', t(`common.dispute.${of}`), t(`common.dispute.${of}-more`));
}

/** The result of the act that led to this page. */
export function actResult({ errors = {}, done, outcome, refused }: ActResult): Html {
  return html`${errorSummary(errors)}
${done !== undefined && notice('good', done)}
${outcome !== undefined && notice('info', outcome)}
${refused !== undefined && html`<div role="alert" ${focused}>${notice('bad', t('common.failed'), refused)}</div>`}`;
}

export function hasErrors(errors: Errors | undefined): boolean {
  return Object.values(errors ?? {}).some((error) => error !== undefined);
}
