import { pill } from '../components/ai-name.ts';
import { type Errors, field, fieldset } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, hasErrors } from '../components/notice.ts';
import { tick, ticks } from '../components/tick.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, type Words } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';

export type GroupRole = 'organizer' | 'member';

/** Whether people under 18 can be in a group: no, by a guardian's word, or teenagers by their own. */
export const groupAges = ['no', 'guardian', 'teens'] as const;
export type GroupAges = (typeof groupAges)[number];

export interface OwnGroup {
  name: string;
  /** Without the &. */
  handle: string;
  role: GroupRole;
  archived: boolean;
}

export interface Groups {
  /** The newest membership first. */
  groups: readonly OwnGroup[];
  olderCursor?: string | undefined;
  isOlder: boolean;
  /** The longest name of a group, in characters. */
  nameLength: number;
  /** Which attempt a form is: sent twice, it has its effect once. */
  attempt: string;
  done?: Words | undefined;
  refused?: Piece | undefined;
  values?: { name?: string; minors?: GroupAges | undefined };
  errors?: Errors<'name' | 'minors'>;
}

/** The groups that a person is in. Form: `name`, `minors` (no, guardian or teens) to paths.groups. */
export function groupsPage(frame: Frame, model: Groups): string {
  const { groups, olderCursor, isOlder, done, refused, errors = {} } = model;
  const main = html`<h1>${isOlder ? 'Older groups' : 'Your groups'}</h1>
${actResult({ errors, done, refused })}
${
  groups.length === 0
    ? html`<div class="card"><p class="soft">${isOlder ? 'There is nothing older.' : 'You are in no group yet. You join one by an invite, or make one.'}</p></div>`
    : html`<ul class="cards">${groups.map(groupRow)}</ul>`
}
<p class="actions">
${isOlder && html`<a class="quiet-link" href="${paths.groups}">The newest</a>`}
${olderCursor !== undefined && html`<a class="quiet-link" href="${olderPath(olderCursor)}">Older</a>`}
</p>
${!isOlder && makeCard(frame, model)}`;
  return page(frame, {
    title: 'Your groups',
    main,
    here: 'groups',
    narrow: true,
    hasErrors: hasErrors(errors),
  });
}

const olderPath = (cursor: string) => `${paths.groups}?${new URLSearchParams({ older: cursor })}`;

function groupRow({ name, handle, role, archived }: OwnGroup): Html {
  return html`<li class="card settled">
<p class="settled-title"><a href="${paths.group(handle)}">${othersText(name, 80)}</a></p>
<p class="settled-state"><span class="address">&${handle}</span> ${rolePill(role)} ${archived && pill('archived', 'off')}</p>
</li>`;
}

export function rolePill(role: GroupRole): Html {
  return pill(role, role === 'organizer' ? 'good' : 'plain');
}

function makeCard(frame: Frame, model: Groups): Html {
  return html`<section class="card" aria-labelledby="make">
<h2 id="make">Make a group</h2>
${makeForm(frame, model)}
</section>`;
}

const ageChoices: Readonly<Record<GroupAges, { label: string; hint: string }>> = {
  no: { label: 'Adults alone', hint: 'No person under 18 can join.' },
  guardian: {
    label: 'Children too, by the word of their guardian',
    hint: 'A parent or guardian has to agree for everybody under 18.',
  },
  teens: {
    label: 'Teenagers by their own word',
    hint: 'From the age on at which they may say so themselves; for younger ones a guardian has to agree.',
  },
};

/** Field `minors`. */
export function groupAgesField(chosen: GroupAges = 'no', error?: Words): Html {
  const ages = groupAges.map((value) =>
    tick({ kind: 'radio', name: 'minors', value, ...ageChoices[value], ticked: value === chosen }),
  );
  return fieldset({ id: 'minors', legend: 'Its members', error }, ticks(ages));
}

function makeForm(frame: Frame, { nameLength, attempt, values = {}, errors = {} }: Groups): Html {
  const { person } = frame;
  if (person?.minor) return html`<p>An adult has to make a group. Ask them for an invite.</p>`;
  if (person?.guest)
    return html`<p>You joined with a name alone. Add a sign-in first, so that you can come back to your group from anywhere.</p>
<div class="actions">${linkButton('Add a sign-in', paths.addSignIn, 'main')}</div>`;
  return html`<p>People settle things together in it, with their AIs. You become its organizer: you invite others, and say who can be in it.</p>
${form(
  frame,
  { action: paths.groups, carried: { attempt } },
  html`${field({
    name: 'name',
    label: 'Its name',
    value: values.name,
    autocomplete: 'off',
    maxLength: nameLength,
    hint: 'Its address here is made of it.',
    error: errors.name,
  })}
${groupAgesField(values.minors, errors.minors)}
<div class="actions">${button('Make the group')}</div>`,
)}`;
}
