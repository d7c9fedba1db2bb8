import { t, verbatim } from '@hearth/i18n';
import { type Html, html, type Words } from './html.ts';

/** The length at which others' texts are cut, in characters as a reader counts them. */
const shownByDefault = 60;

const linesShownByDefault = 4_000;

/** Marks above and below a letter are shown up to this many: more would run over the lines around. */
const codePointsOfACharacter = 8;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A text that another person chose (a name, a note): kept apart from the direction of the text around it, in one
 * line, of bounded length.
 */
export function othersText(text: string, shown: number = shownByDefault): Html {
  return html`<bdi class="theirs">${plainText(text, shown)}</bdi>`;
}

/** A text of several lines by another author, as it is: each line runs the way its own letters do. */
export function othersLines(text: string, shown: number = linesShownByDefault): Html {
  const lines = text.split(/\r\n?|[\n\u2028\u2029]/).map(withoutControls);
  const whole = lines.join('\n').trim();
  return html`<bdi class="their-lines">${whole === '' ? t('common.empty') : clip(whole, shown)}</bdi>`;
}

/** The same where no markup may stand: the title of a page, the value of an attribute. */
export function plainText(text: string, shown: number = shownByDefault): Words {
  const cut = oneLine(text, shown);
  return cut === '' ? t('common.empty') : verbatim(cut);
}

/** The same; empty where nothing of it can be seen. */
export function oneLine(text: string, shown: number = shownByDefault): string {
  return clip(withoutControls(text), shown);
}

function clip(text: string, shown: number): string {
  let cut = '';
  let count = 0;
  for (const { segment } of characters.segment(text)) {
    if (count === shown) return `${cut.trimEnd()}…`;
    cut += [...segment].slice(0, codePointsOfACharacter).join('');
    count += 1;
  }
  return cut;
}

/** In one line, without what is invisible or turns the direction of what follows; joiners stay, scripts need them. */
function withoutControls(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .trim();
}
