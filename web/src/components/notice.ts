import { t } from '@hearth/i18n';
import { attributes, type Html, html, type Piece, type Words } from '../html.ts';
import type { Errors } from './field.ts';

export type Tone = 'info' | 'good' | 'care' | 'bad';

const signs: Readonly<Record<Tone, string>> = { info: 'i', good: '✓', care: '!', bad: '×' };

/**
 * Something that the reader has to know before the rest of the page. Its title stands alone, without its colour and sign; where
 * the reader has to take care, screen readers announce that first.
 */
export function notice(tone: Tone, title: Piece, words?: Piece): Html {
  return html`<div class="notice ${tone}">
<span class="notice-sign" aria-hidden="true">${signs[tone]}</span>
<div class="notice-words"><p class="notice-title">${tone === 'care' && html`<span class="unseen">${t('common.important')} </span>`}${title}</p>
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
<div class="notice-words"><p class="notice-title">${t('common.errors')}</p>
<ul class="plain">${wrong.map(([name, error]) => html`<li><a href="#${name}">${error}</a></li>`)}</ul></div>
</div>`;
}

export interface ActResult {
  errors?: Errors | undefined;
  /** The act that was just done, in words. */
  done?: Words | undefined;
  /** The outcome of an act that has not reached its aim, or not yet. */
  outcome?: Words | undefined;
  /** Why it was not taken. */
  refused?: Piece | undefined;
}

/** Marks a thing of another home that shows other words of people here than they sent. */
export function disputeNotice(
  disputed: boolean | undefined,
  of: 'answer' | 'agreement' | 'meeting' = 'answer',
): Html | false {
  return disputed === true && notice('care', t(`common.dispute.${of}`), t(`common.dispute.${of}-more`));
}

/** How the act went that led to this page. */
export function actResult({ errors = {}, done, outcome, refused }: ActResult): Html {
  return html`${errorSummary(errors)}
${done !== undefined && notice('good', done)}
${outcome !== undefined && notice('info', outcome)}
${refused !== undefined && html`<div role="alert" ${focused}>${notice('bad', t('common.failed'), refused)}</div>`}`;
}

export function hasErrors(errors: Errors | undefined): boolean {
  return Object.values(errors ?? {}).some((error) => error !== undefined);
}
