import { t } from '@hearth/i18n';
import { type Errors, field, select } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { homeWords } from '../components/home-words.ts';
import { linkTo } from '../components/link.ts';
import { actResult, notice } from '../components/notice.ts';
import { type Tab, tabs } from '../components/tabs.ts';
import { textArea } from '../components/text-area.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { around, attributes, type Html, html, type Piece, type Words } from '../html.ts';
import { othersLines, othersText } from '../others-text.ts';
import { paths } from '../paths.ts';

/** A section of the operator pages; `place` is its part of the path. */
export interface OperatorPlace {
  place: string;
  title: Words;
}

/** A value of a row: a text by any author, words of the catalogue, or a moment. */
export type OperatorValue = { text: string } | { words: Words } | { atMs: number };

export interface OperatorField {
  name: string;
  label: Words;
  hint?: Words;
  optional?: boolean;
  maxLength?: number;
  /** Takes several lines. */
  lines?: boolean;
  /** Makes it a choice instead of a text. */
  choices?: readonly { value: string; words: Words }[];
}

export interface OperatorAct {
  /** Goes with the form as `act`. */
  act: string;
  /** The target's id; goes with the form. */
  id: string;
  words: Words;
  /** Cannot be undone. */
  danger?: boolean;
  fields: readonly OperatorField[];
}

export interface OperatorRow {
  title: string;
  kind?: Words | undefined;
  facts: readonly { label: Words; value: OperatorValue | readonly OperatorValue[] }[];
  acts: readonly OperatorAct[];
}

/** A refused form: its values, with errors at its fields or above the list. */
export interface OperatorRefusal {
  id: string;
  act: string;
  values: Readonly<Record<string, string>>;
  errors?: Errors | undefined;
  refused?: Piece | undefined;
}

export interface OperatorList extends OperatorPlace {
  places: readonly OperatorPlace[];
  lead: Words;
  /** The acts without a row; their id is empty. */
  acts: readonly OperatorAct[];
  rows: readonly OperatorRow[];
  /** The path of these rows: acts on them go there, and lead back to it. */
  path: string;
  /** The views of the list, and the path of the present view. */
  views?: { all: readonly Tab[]; here: string } | undefined;
  /** The path of the next rows. */
  more?: string | undefined;
  /** The sign-in page, if the operator's sign-in is too old to act. */
  signIn?: string | undefined;
  done?: Words | undefined;
  refused?: OperatorRefusal | undefined;
}

/** A list for the operator. Forms: `act`, `id` and the fields of the act to its path. */
export function operatorListPage(frame: Frame, list: OperatorList): string {
  const { place, title, lead, acts, rows, more, done, refused, signIn, views } = list;
  const forms = [{ of: '', acts }, ...rows.map((row) => ({ of: row.title, acts: row.acts }))].map(
    (part, index) => part.acts.map((act) => actForm(frame, list, part.of, `${index}-${act.act}`, act)),
  );
  const main = html`<h1>${title}</h1>
${placeTabs(list.places, place)}
<p class="lead">${lead}</p>
${actResult({ done, refused: refused?.refused, errors: errorsById(list) })}
${
  signIn !== undefined &&
  notice('info', t('operator.sign-in'), t('ais.approve-sign-in-more', { link: linkTo(signIn) }))
}
${views !== undefined && tabs(t('operator.views'), views.all, views.here)}
${acts.length > 0 && html`<div class="actions">${forms[0]}</div>`}
${
  rows.length === 0
    ? html`<div class="card"><p class="soft">${t('operator.empty')}</p></div>`
    : html`<ul class="cards">${rows.map((row, index) => rowCard(frame, row, forms[index + 1]!))}</ul>`
}
${more !== undefined && html`<p>${linkButton(t('operator.more'), more)}</p>`}`;
  return page(frame, { title, main, here: 'operator', hasErrors: refused !== undefined });
}

const isRefused = ({ refused }: OperatorList, { act, id }: OperatorAct) =>
  refused?.act === act && refused.id === id;

/** The errors of the refused form, by the ids of its fields on the page. */
function errorsById(list: OperatorList): Errors {
  const index = [{ acts: list.acts }, ...list.rows].findIndex(({ acts }) =>
    acts.some((act) => isRefused(list, act)),
  );
  const { act = '', errors = {} } = list.refused ?? {};
  return Object.fromEntries(
    Object.entries(errors).map(([name, words]) => [`${index}-${act}-${name}`, words]),
  );
}

export interface OperatorOverview {
  places: readonly OperatorPlace[];
  /** The number that waits at each place, as "3 open" or "100 or more open". */
  counts: readonly (OperatorPlace & { words: Words; urgent: boolean })[];
}

/** The counts of waiting items, with links to them. */
export function operatorPage(frame: Frame, { places, counts }: OperatorOverview): string {
  const main = html`<h1>${t('operator.title')}</h1>
${placeTabs(places)}
<ul class="cards">${counts.map(
    ({ place, title, words, urgent }) => html`<li class="card">
<h2><a href="${paths.operatorPlace(place)}">${title}</a></h2>
<p>${urgent ? html`<strong>${words}</strong>` : words}</p>
</li>`,
  )}</ul>
<p class="soft">${t('operator.status', { ready: linkTo('/ready'), limits: linkTo('/v0/limits'), command: html`<code>hearth key</code>` })}</p>`;
  return page(frame, { title: t('operator.title'), main, here: 'operator' });
}

function placeTabs(places: readonly OperatorPlace[], here?: string): Html {
  const pages = places.map(({ place, title }) => ({ words: title, href: paths.operatorPlace(place) }));
  return tabs(t('operator.pages'), pages, here && paths.operatorPlace(here));
}

function rowCard(frame: Frame, { title, kind, facts }: OperatorRow, forms: readonly Html[]): Html {
  const named = homeWords(frame, title, (part) => othersText(part, 120));
  return html`<li class="card">
<h2>${kind === undefined ? named : t('operator.row', { kind, title: named })}</h2>
<dl class="facts">${facts.map(
    ({ label, value }) =>
      html`<div><dt>${label}</dt><dd>${[value].flat().map((one, index) => html`${index > 0 && html`<br>`}${shown(frame, one)}`)}</dd></div>`,
  )}</dl>
${forms.length > 0 && html`<div class="actions">${forms}</div>`}
</li>`;
}

function shown(frame: Frame, value: OperatorValue): Html {
  if ('atMs' in value) return moment(frame, value.atMs);
  return 'words' in value ? html`${value.words}` : homeWords(frame, value.text, othersLines);
}

function actForm(frame: Frame, list: OperatorList, title: string, key: string, act: OperatorAct): Html {
  const { id, words, danger, fields } = act;
  const refused = isRefused(list, act) ? list.refused : undefined;
  const more = around((inside) => html`<span class="unseen">${inside}</span>`);
  const named = title === '' ? words : t('operator.act-of', { act: words, row: othersText(title, 60), more });
  const send = button(named, { kind: danger ? 'danger' : 'plain' });
  const parts = { action: list.path, carried: { act: act.act, id } };
  if (fields.length === 0) return form(frame, parts, send);
  const inputs = fields.map(({ choices, lines, ...parts }) => {
    const described = {
      ...parts,
      id: `${key}-${parts.name}`,
      value: refused?.values[parts.name],
      error: refused?.errors?.[parts.name],
    };
    if (choices !== undefined)
      return select({ ...described, groups: [{ choices }], empty: t('common.choose') });
    return lines ? textArea(described) : field(described);
  });
  return html`<details ${attributes({ class: 'note', open: refused !== undefined })}><summary class="button quiet">${named}</summary>
${form(frame, parts, html`${inputs}${send}`)}</details>`;
}
