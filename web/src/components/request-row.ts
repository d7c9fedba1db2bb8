import { t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { around, attributes, type Html, html, type Piece, unseen, type Words } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { type RequestKind, requestKinds } from '../request-copy.ts';
import { pill } from './ai-name.ts';
import { blockOrReport } from './block-or-report.ts';
import { button, type Carried, form } from './form.ts';
import { changedKinds, changedRules, type RuleRows } from './rule-list.ts';
import { textArea } from './text-area.ts';
import { timeAgo, timeLeft } from './time-left.ts';

/** A waiting request: an ask, a message, an invite, or an agreement of one of the person's AIs. */
export interface RequestItem {
  id: string;
  type: 'approval' | 'message' | 'invite' | 'agreement';
  /** Empty for a message without a title. */
  title: string;
  /** The title as this home words it, unless others wrote it. */
  ownTitle?: Words | undefined;
  preview: string;
  /** Address. */
  from: string;
  fromName: string;
  nameVerified: boolean;
  /** The purpose of a request from a sender who shares no group with the person; the person may correct it. */
  purpose?: RequestKind | undefined;
  atMs: number;
  endsAtMs?: number | undefined;
  /** The note of the gatekeeper AI. */
  passedNote?: string | undefined;
  /** The name of the minor that it concerns. */
  aboutChild?: string | undefined;
  /** Whether one tap accepts it, or an answer on its own page. */
  yes: 'tap' | 'answer' | 'rules';
  /**
   * For a proposal of rules: the current rows, and those that would change. Without it, only its own page
   * shows them.
   */
  rules?: { present: RuleRows; changes: Partial<RuleRows> } | undefined;
  /** The digest of the ask as shown. */
  digest?: string | undefined;
}

const titleCharacters = 140;
const previewCharacters = 65;

export interface RowParts {
  nowMs: number;
  /** Its position on the page, for ids. */
  index: number;
  /** Whether it was put off already. */
  putOff: boolean;
}

/**
 * A request's row. Forms to paths.request(id), each with `type` and `digest`; `do` is yes, no (with `note`),
 * later, relabel (with `kind`), block, report, or both (with `from`, `reason`, `text`). Its checkbox belongs
 * to the form with the id `ticked`.
 */
export function requestRow(frame: Frame, item: RequestItem, { nowMs, index, putOff }: RowParts): Html {
  const { title, preview, type, aboutChild, passedNote, endsAtMs, atMs } = item;
  return html`<li class="request" data-request tabindex="-1">
<label class="pick"><input ${attributes({ type: 'checkbox', name: 'item', value: tickedValue(item), form: 'ticked', 'data-key': 'x' })}><span class="unseen">${t('requests.select', { title: nameOf(item, previewCharacters) })}</span></label>
<div class="request-in">
<h3 class="request-title"><span class="${putOff ? 'dot hollow' : 'dot'}" aria-hidden="true"></span>${titleOf(item)} ${pill(t(`requests.type.${item.yes === 'rules' ? 'rules' : type}`))}${aboutChild !== undefined && html` ${pill(t('requests.about', { name: othersText(aboutChild, 60) }), 'care')}`}</h3>
${item.rules !== undefined ? proposed(item.rules) : title !== '' && preview !== '' && html`<p class="preview">${othersText(preview, previewCharacters)}</p>`}
${passedNote !== undefined && html`<p class="passed">${t('requests.passed-note', { note: othersText(passedNote, 280), soft: around((inside) => html`<span class="soft">${inside}</span>`) })}</p>`}
<p class="request-from">${sender(item)} <span class="soft">${timeAgo(atMs, nowMs)}${endsAtMs !== undefined && html` · ${timeLeft(endsAtMs, nowMs)}`}</span></p>
<div class="request-acts">
${yes(frame, item)}
${decline(frame, item, index)}
${!putOff && form(frame, acting(item, 'later'), actButton(t('requests.later'), { 'data-key': 'n' }))}
${item.purpose !== undefined && relabel(frame, item, item.purpose, index)}
${blockOrReport(frame, { action: paths.request(item.id), carried: { ...carriedOf(item), from: item.from } }, { index })}
</div>
</div>
</li>`;
}

/** Its name on the page. @param shown the length at which words of others are cut */
function nameOf({ title, ownTitle, preview }: RequestItem, shown: number): Words | Html {
  return ownTitle ?? othersText(title === '' ? preview : title, shown);
}

/** The value of a checkbox: the type, the id and, for an ask, the digest of its text. */
function tickedValue({ type, id, yes, digest = '' }: RequestItem): string {
  return [type, id, yes, digest].join(' ');
}

/** Parses the value of a checkbox; null if it is not one of ours. */
export function readTicked(
  value: string,
): (Pick<RequestItem, 'id' | 'yes'> & { type: RequestItem['type']; digest: string }) | null {
  const [, type, id, yes, digest = ''] =
    /^(approval|message|invite|agreement) (\S{1,320}) (tap|answer|rules) (\S{0,100})$/.exec(value) ?? [];
  if (type === undefined || id === undefined) return null;
  return { type: type as RequestItem['type'], id, yes: yes as RequestItem['yes'], digest };
}

function titleOf(item: RequestItem): Words | Html {
  const { id, type, yes } = item;
  const words = nameOf(item, titleCharacters);
  if (type === 'agreement') return html`<a href="${paths.agreement(id)}">${words}</a>`;
  if (type === 'message') return html`<a href="${paths.request(id)}">${words}</a>`;
  if (type !== 'approval') return words;
  return html`<a href="${yes === 'rules' ? paths.rules : paths.ask(id)}">${words}</a>`;
}

function sender({ fromName, from, nameVerified }: RequestItem): Html {
  return html`<span class="request-sender">${othersText(fromName)} <bdi class="address">${plainText(from, 80)}</bdi>${!nameVerified && html` ${pill(t('common.unverified-name'), 'care')}`}</span>`;
}

function yes(frame: Frame, item: RequestItem): Html {
  const { id, type } = item;
  const named = { title: nameOf(item, previewCharacters), unseen };
  if (item.yes === 'rules' && item.rules === undefined)
    return openLink(t('requests.view', named), paths.rules);
  if (item.yes === 'answer') return openLink(t('requests.answer', named), paths.ask(id));
  const words = t(`requests.yes.${item.yes === 'rules' ? 'rules' : type}`, named);
  return form(frame, acting(item, 'yes'), actButton(words, { 'data-key': 'a', class: 'button main' }));
}

/** The changed rows; nothing in them was written by others. */
function proposed({ present, changes }: NonNullable<RequestItem['rules']>): Html {
  const count = changedKinds(present, changes).length;
  return html`<p class="preview">${t('requests.rules', { count, link: around((inside) => html`<a href="${paths.rules}">${inside}</a>`) })}</p>
${changedRules(present, changes)}`;
}

function openLink(words: Piece, href: string): Html {
  return html`<a class="button main" href="${href}" data-key="a">${words}</a>`;
}

function decline(frame: Frame, item: RequestItem, index: number): Html {
  return html`<details class="act" name="row-${index}" data-decline><summary class="button plain">${t('common.decline')}</summary>
${form(
  frame,
  acting(item, 'no'),
  html`${textArea({
    name: 'note',
    id: `note-${index}`,
    label: t('requests.reason'),
    hint: t('requests.reason-hint'),
    optional: true,
    maxLength: 280,
    rows: 2,
  })}
${button(t('requests.decline', { title: nameOf(item, previewCharacters), unseen }), { kind: 'danger' })}`,
)}</details>`;
}

function relabel(frame: Frame, item: RequestItem, purpose: RequestKind, index: number): Html {
  return html`<details class="act less" name="row-${index}"><summary class="button quiet">${t('requests.purpose', { kind: t(`requests.kind.${purpose}`), unseen })}</summary>
${form(
  frame,
  acting(item, 'relabel'),
  html`<p class="hint">${t('requests.purpose-hint')}</p>
<div class="kinds">${requestKinds.map((kind) =>
    kind === purpose
      ? html`<span class="kind now">${t('requests.purpose-now', { kind: t(`requests.kind.${kind}`), unseen })}</span>`
      : html`<button type="submit" class="button plain kind" name="kind" value="${kind}">${t(`requests.kind.${kind}`)}</button>`,
  )}</div>`,
)}</details>`;
}

/** The form of an act. */
function acting(item: RequestItem, act: string): { action: string; carried: Carried } {
  return { action: paths.request(item.id), carried: { ...carriedOf(item), do: act } };
}

function carriedOf({ type, digest = '' }: RequestItem): Carried {
  return { type, digest };
}

function actButton(words: Piece, more: Readonly<Record<string, string>>): Html {
  return html`<button ${attributes({ type: 'submit', class: 'button plain', ...more })}>${words}</button>`;
}
