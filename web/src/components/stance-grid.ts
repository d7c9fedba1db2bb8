import { t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { attributes, type Html, html, type Piece, unseen } from '../html.ts';
import { othersText } from '../others-text.ts';
import { pill } from './ai-name.ts';
import { tick } from './tick.ts';
import { calendarDay } from './time.ts';
import { dayOf, isDay, localDay, readersZone, zonedPeriod } from './zoned-time.ts';

/** A person's answer about an option; `none` before they answer. */
export type Stance = 'works' | 'not' | 'approve' | 'none';

export interface GridOption {
  /** An instant, or a day as YYYY-MM-DD; undefined for an option in words. */
  time?: string | undefined;
  /** Its end, as an instant. */
  endsAt?: string | undefined;
  /** Its label, written by people. */
  label?: string | undefined;
  /** Each person's answer; empty while answers are hidden. */
  people: readonly { name: string; stance: Stance; marks?: Piece }[];
  /** Above it: whether it was settled, or fits best. */
  marks?: Piece;
  /** Below it: a form or a button. */
  below?: Piece;
  /** The viewer's radio buttons. */
  choice?:
    | { name: string; offered: readonly Exclude<Stance, 'none'>[]; value: string | undefined }
    | undefined;
}

const signs: Readonly<Record<Stance, string>> = { works: '✓', approve: '★', not: '×', none: '·' };

/**
 * Options side by side, or stacked on a phone; grouped by day if a day has several. Each shows its score, the
 * viewer's choice and every person's answer, always in the same order.
 */
export function stanceGrid(frame: Frame, options: readonly GridOption[], zone: string | undefined): Html {
  const days = Map.groupBy(options, ({ time }) =>
    time === undefined || isDay(time) ? '' : localDay(time, readersZone(frame, zone)),
  );
  const byDay = [...days].some(([day, some]) => day !== '' && some.length > 1);
  if (!byDay)
    return html`<ul class="grid">${options.map((option) => cell(frame, option, zone, 'whole'))}</ul>`;
  return html`${[...days].map(
    ([
      date,
      some,
    ]) => html`<div class="grid-day">${date !== '' && html`<p class="grid-date">${calendarDay(date)}</p>`}
<ul class="grid">${some.map((option) => cell(frame, option, zone, 'clock'))}</ul></div>`,
  )}`;
}

function cell(frame: Frame, option: GridOption, zone: string | undefined, part: 'whole' | 'clock'): Html {
  const { time, endsAt, label, people, marks, below, choice } = option;
  const name = optionWords(
    time !== undefined && zonedPeriod(frame, { startsAt: time, endsAt }, zone, part),
    label,
  );
  const day =
    part === 'clock' &&
    time !== undefined &&
    !isDay(time) &&
    html`<span class="unseen">${dayOf(time, readersZone(frame, zone))}, </span>`;
  return html`<li class="grid-option">
<div class="grid-head"><p class="grid-name">${day}${name}</p>${marks}${people.length > 0 && score(people)}</div>
${choice !== undefined && choices(choice, html`${day}${name}`)}
${
  people.length > 0 &&
  html`<ul class="grid-people">${people.map(
    (person) =>
      html`<li class="stance ${person.stance}"><span class="stance-sign" aria-hidden="true">${signs[person.stance]}</span><span>${othersText(person.name)}<span class="unseen">: </span> <span class="stance-word">${t(`courses.stance.${person.stance}`)}</span>${person.marks}</span></li>`,
  )}</ul>`
}
${below}
</li>`;
}

/** An option's time and label, as far as it has them. */
export function optionWords(time: Html | false, label = ''): Piece {
  if (label === '') return time;
  const words = othersText(label, 80);
  return time ? t('courses.option', { time, label: words }) : words;
}

function score(people: GridOption['people']): Html {
  const suits = people.filter(({ stance }) => stance === 'works' || stance === 'approve').length;
  const approve = people.filter(({ stance }) => stance === 'approve').length;
  return html`<p class="score">${t('courses.score', { count: suits, people: people.length, unseen })}${approve > 0 && html` ${pill(t('courses.approve-count', { count: approve }), 'good')}`}</p>`;
}

function choices({ name, offered, value }: NonNullable<GridOption['choice']>, legend: Html): Html {
  return html`<fieldset ${attributes({ class: 'stances' })}><legend class="unseen">${legend}</legend>
<div class="ticks across-${offered.length}">${offered.map((stance) =>
    tick({
      kind: 'radio',
      name,
      value: stance,
      label: t(`courses.choice.${stance}`),
      ticked: stance === value,
    }),
  )}</div></fieldset>`;
}
