import { t, verbatim } from '@hearth/i18n';
import { type Html, html, type Words } from './html.ts';

/** The length at which others' texts are cut, in graphemes. */
const shownByDefault = 60;

const linesShownByDefault = 4_000;

/** Marks above and below a letter are shown up to this many; more would overlap adjacent lines. */
const codePointsOfACharacter = 8;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A text that another person chose, such as a name or a note: on one line, of bounded length, with its own
 * text direction.
 */
export function othersText(text: string, shown: number = shownByDefault): Html {
  return html`<bdi class="theirs">${plainText(text, shown)}</bdi>`;
}

/** A text of several lines by another author; each line has its own text direction. */
export function othersLines(text: string, shown: number = linesShownByDefault): Html {
  const lines = text.split(/\r\n?|[\n\u2028\u2029]/).map(withoutControls);
  const whole = lines.join('\n').trim();
  return html`<bdi class="their-lines">${whole === '' ? t('common.empty') : clip(whole, shown)}</bdi>`;
}

/** `othersText` as plain text, for page titles and attribute values. */
export function plainText(text: string, shown: number = shownByDefault): Words {
  const cut = oneLine(text, shown);
  return cut === '' ? t('common.empty') : verbatim(cut);
}

/** `plainText` as a string; empty if nothing visible is left. */
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

/** One line without invisible characters and direction overrides; keeps joiners, which some scripts need. */
function withoutControls(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .trim();
}
